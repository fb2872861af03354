import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { copyText } from '../lib/browser/clipboard.ts';
import { failureText } from '../lib/api/failure-text.ts';
import { useT } from '../lib/hooks/use-t.ts';
import { m } from '../paraglide/messages.js';
import { NoPermission } from './no-permission.tsx';
import { NotAllowed } from './not-allowed.ts';

const detailsOf = (error: unknown): string =>
  `${(error instanceof Error && error.stack) || String(error)}\n${location.pathname}\n${new Date().toISOString()}`;

/** A screen that threw: say so, keep the navigation, offer what helps. */
export const Crashed = ({ error }: ErrorComponentProps) => {
  const t = useT();
  if (error instanceof NotAllowed) return <NoPermission />;
  return (
    <div role="alert">
      <Empty icon="alert" title={t(m.crashed)} text={failureText(error)}>
        <Button look="primary" icon="refresh" onClick={() => location.reload()}>
          {t(m.reload)}
        </Button>
        <Button icon="copy" onClick={() => void copyText(detailsOf(error))}>
          {t(m.copy_details)}
        </Button>
      </Empty>
    </div>
  );
};
