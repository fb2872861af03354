import { Icon } from '../../components/icon.tsx';
import { UsageTable } from '../../components/table/usage-table.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { RunPart } from './run-tree.ts';

/** By depth: the style sheet has no others. Deeper levels are as far in as the last. */
const indents = [
  'pl-0',
  'pl-4 max-md:pl-2',
  'pl-8 max-md:pl-4',
  'pl-12 max-md:pl-6',
  'pl-16 max-md:pl-8',
  'pl-20 max-md:pl-10',
  'pl-24 max-md:pl-12',
  'pl-28 max-md:pl-14',
  'pl-32 max-md:pl-16',
  'pl-36 max-md:pl-18',
] as const;
const indentOf = (depth: number): string => indents[Math.min(depth, indents.length - 1)] ?? '';

interface RunTreeTableProps {
  readonly parts: readonly RunPart[];
  /** Quota that was charged without a record in the log. */
  readonly unlogged: number;
}

/** The parts of a run's work as a tree, each with what it and everything below it cost. */
export const RunTreeTable = ({ parts, unlogged }: RunTreeTableProps) => {
  const t = useT();
  return (
    <UsageTable
      caption={t(m.run_tree)}
      head={t(m.run_part)}
      lines={parts.map((part) => ({ ...part, name: <PartName part={part} /> }))}
      unlogged={unlogged}
    />
  );
};

const PartName = ({ part: { depth, kind, name } }: { readonly part: RunPart }) => {
  const t = useT();
  const text = depth === 0 ? t(m.run_whole) : name;
  return (
    <span className={`flex min-w-0 items-center gap-2 ${indentOf(depth)}`}>
      <Icon name={kind === 'model' ? 'chat' : 'right'} className="size-3.5 shrink-0 text-mute" />
      <span className={`truncate ${kind === 'model' ? 'font-mono text-12' : 'font-medium'}`} title={text}>
        {text}
      </span>
    </span>
  );
};
