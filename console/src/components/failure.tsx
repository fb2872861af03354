import { failureText } from '../lib/api/failure-text.ts';
import { useT } from '../lib/hooks/use-t.ts';
import { m } from '../paraglide/messages.js';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';

/** Error state of a region that failed to load, with the server's message; the rest of the page keeps working. */
export const Failure = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  const t = useT();
  return (
    <div role="alert" className="rounded-card border border-line bg-panel">
      <Empty icon="alert" title={t(m.load_failed)} text={failureText(error)}>
        <Button icon="refresh" onClick={onRetry}>
          {t(m.retry)}
        </Button>
      </Empty>
    </div>
  );
};
