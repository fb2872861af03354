import { useEffect, useState } from 'react';
import type { ReadAllCallbacks } from '../../lib/api/read-all.ts';
import { toastFailure } from '../../lib/toasts.ts';
import { useLatest } from '../../lib/hooks/use-latest.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../button.tsx';
import { confirm } from '../overlay/overlays.ts';

interface ExportAllProps {
  readonly run: (callbacks: ReadAllCallbacks) => Promise<void>;
  readonly onEnd: () => void;
}

/** Loads a whole list for a file, shows the progress, and can be stopped. */
export const ExportAll = (props: ExportAllProps) => {
  const t = useT();
  const [count, setCount] = useState(0);
  const latest = useLatest(props);
  useEffect(() => {
    const stop = new AbortController();
    const allow = (): Promise<boolean> =>
      confirm({ title: m.export_large_title(), text: m.export_large_text(), verb: m.export_large_verb() });
    void latest.current
      .run({ signal: stop.signal, onCount: setCount, allow })
      .catch((error: unknown) => !stop.signal.aborted && toastFailure(error))
      .finally(() => !stop.signal.aborted && latest.current.onEnd());
    return () => stop.abort();
  }, [latest]);
  return (
    <section
      aria-label={t(m.export_csv)}
      className="fixed inset-x-3 bottom-4 z-30 mx-auto flex w-fit animate-rise items-center gap-1 rounded-dialog bg-panel p-2 shadow-float"
    >
      <p role="status" className="px-3 tabular-nums">
        {t(m.export_progress, { count })}
      </p>
      <Button look="quiet" icon="close" onClick={props.onEnd}>
        {t(m.cancel)}
      </Button>
    </section>
  );
};
