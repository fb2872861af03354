import { copyText } from '../../lib/browser/clipboard.ts';
import { formatTime } from '../../lib/format/format.ts';
import { toast } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';

const copyIso = async (iso: string): Promise<void> => {
  if (await copyText(iso)) toast('success', m.copied());
};

interface TimeProps {
  readonly unixSeconds: number;
  /** Whether it is a tab stop; in the rows of a list, only in the active row. */
  readonly stop?: boolean;
}

/** A time, local; hover and focus show the distance and UTC, a click or Enter copies ISO 8601. */
export const Time = ({ unixSeconds, stop = false }: TimeProps) => {
  const iso = new Date(unixSeconds * 1000).toISOString();
  return (
    <time
      dateTime={iso}
      data-tip-time={unixSeconds}
      tabIndex={stop ? 0 : undefined}
      className="whitespace-nowrap tabular-nums"
      onClick={(event) => {
        event.stopPropagation();
        void copyIso(iso);
      }}
      onKeyDown={({ key }) => key === 'Enter' && void copyIso(iso)}
    >
      {formatTime(unixSeconds)}
    </time>
  );
};
