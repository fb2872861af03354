import { useRef, useState } from 'react';
import { copyText } from '../../lib/browser/clipboard.ts';
import { failureText } from '../../lib/api/failure-text.ts';
import { toast } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../button.tsx';
import { IconButton } from '../icon-button.tsx';
import type { IconName } from '../icon.tsx';

export interface BoundAction {
  readonly text: string;
  readonly icon: IconName;
  readonly danger: boolean;
  readonly allow: () => Promise<boolean>;
  readonly run: (id: number) => Promise<void>;
}

interface BulkBarProps {
  readonly chosen: readonly { readonly id: number; readonly name: string }[];
  readonly actions: readonly BoundAction[];
  readonly onExport: () => void;
  readonly onSelect: (ids: ReadonlySet<number>) => void;
}

interface Progress {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

const atOnce = 4;

/** Runs an action over the selected rows, four at a time; failed rows stay selected. */
const useBulkRun = ({ chosen, onSelect }: BulkBarProps) => {
  const t = useT();
  const [progress, setProgress] = useState<Progress>();
  const [failures, setFailures] = useState<ReadonlyMap<number, string>>(new Map());
  const stopped = useRef(false);
  const run = async (action: BoundAction): Promise<void> => {
    if (!(await action.allow())) return;
    stopped.current = false;
    const queue = [...chosen];
    const failed = new Map<number, string>();
    let done = 0;
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined && !stopped.current; next = queue.shift()) {
        try {
          await action.run(next.id);
        } catch (error) {
          failed.set(next.id, `${next.name}: ${failureText(error)}`);
        }
        done += 1;
        setProgress({ done, failed: failed.size, total: chosen.length });
      }
    };
    setProgress({ done, failed: 0, total: chosen.length });
    await Promise.all(Array.from({ length: atOnce }, work));
    setProgress(undefined);
    setFailures(failed);
    onSelect(new Set([...failed.keys(), ...queue.map(({ id }) => id)]));
    if (failed.size > 0) toast('error', t(m.bulk_failed, { count: failed.size }));
    else toast('success', t(m.done));
  };
  // Rows that were deselected meanwhile are skipped.
  const shown = chosen.flatMap(({ id }) => failures.get(id) ?? []);
  return { progress, failures: shown, run, stop: () => (stopped.current = true) };
};

/** The actions for all selected rows. */
export const BulkBar = (props: BulkBarProps) => {
  const { chosen, actions, onExport, onSelect } = props;
  const t = useT();
  const { progress, failures, run, stop } = useBulkRun(props);
  const copyNames = async (): Promise<void> => {
    const copied = await copyText(chosen.map(({ name }) => name).join('\n'));
    toast(copied ? 'success' : 'warning', copied ? t(m.copied) : t(m.copy_refused));
  };
  return (
    <section
      aria-label={t(m.selection)}
      className="fixed inset-x-3 bottom-4 z-30 mx-auto flex w-fit animate-[appear_140ms_ease-out] flex-wrap items-center gap-1 rounded-dialog bg-panel p-2 shadow-float"
    >
      {!progress && failures.length > 0 && (
        <ul className="max-h-32 w-full overflow-y-auto px-3 pt-1 pb-2 text-13 text-bad">
          {failures.map((text) => (
            <li key={text} className="wrap-anywhere">
              {text}
            </li>
          ))}
        </ul>
      )}
      {progress ? (
        <>
          <p role="status" className="px-3 tabular-nums">
            {t(m.bulk_progress, { done: progress.done, total: progress.total })}{' '}
            {progress.failed > 0 && <span className="text-bad">· {t(m.bulk_failed, { count: progress.failed })}</span>}
          </p>
          <Button look="quiet" icon="pause" onClick={stop}>
            {t(m.stop)}
          </Button>
        </>
      ) : (
        <>
          <p className="px-3 font-medium tabular-nums">{t(m.selected_count, { count: chosen.length })}</p>
          {actions.map((action) => (
            <Button
              key={action.text}
              sends
              look={action.danger ? 'quiet-danger' : 'quiet'}
              icon={action.icon}
              onClick={() => void run(action)}
            >
              {action.text}
            </Button>
          ))}
          <Button look="quiet" icon="download" onClick={onExport}>
            {t(m.export)}
          </Button>
          <Button look="quiet" icon="copy" onClick={() => void copyNames()}>
            {t(m.copy_names)}
          </Button>
          <IconButton icon="close" label={t(m.clear_selection)} onClick={() => onSelect(new Set())} />
        </>
      )}
    </section>
  );
};
