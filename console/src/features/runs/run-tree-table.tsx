import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/text/money.tsx';
import { useLanguage } from '../../lib/browser/locale.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { RunPart } from './run-tree.ts';

const cell = 'px-2 py-2 whitespace-nowrap first:pl-4 last:pr-4';
const end = `${cell} w-px text-right tabular-nums`;
/** Has no room on a phone. */
const spare = `${end} max-md:hidden`;

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
  const language = useLanguage();
  const count = (value: number): string => value.toLocaleString(language);
  const heads = [
    [m.run_part, cell],
    [m.run_calls, end],
    [m.run_prompt_tokens, spare],
    [m.run_completion_tokens, spare],
    [m.run_cost, end],
  ] as const;
  return (
    <table className="w-full text-13">
      <caption className="sr-only">{t(m.run_tree)}</caption>
      <thead>
        <tr className="text-left text-12 text-mute">
          {heads.map(([head, look]) => (
            <th key={t(head)} scope="col" className={`${look} font-medium`}>
              {t(head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {parts.map((part) => (
          <tr key={part.id} className="border-t border-line">
            <td className={`${cell} w-full max-w-0`}>
              <PartName part={part} />
            </td>
            <td className={end}>{count(part.calls)}</td>
            <td className={spare}>{count(part.promptTokens)}</td>
            <td className={spare}>{count(part.completionTokens)}</td>
            <td className={end}>
              <Money quota={part.quota} fine />
            </td>
          </tr>
        ))}
        {unlogged > 0 && (
          <tr className="border-t border-line text-mute">
            <td className={cell} colSpan={4}>
              {t(m.run_unlogged)}
            </td>
            <td className={end}>
              <Money quota={unlogged} fine />
            </td>
          </tr>
        )}
      </tbody>
    </table>
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
