import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Notice } from '../notice.tsx';

interface DraftNoteProps {
  /** The form opened with values that were entered before. */
  readonly restored: boolean;
  readonly restart: () => void;
}

/** Says that a form opened with an earlier draft, and empties it. */
export const DraftNote = ({ restored, restart }: DraftNoteProps) => {
  const t = useT();
  if (!restored) return null;
  return (
    <Notice tone="info">
      {t(m.draft_restored)}{' '}
      <button type="button" className="font-medium text-brand underline underline-offset-2" onClick={restart}>
        {t(m.draft_restart)}
      </button>
    </Notice>
  );
};
