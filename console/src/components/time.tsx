import { copyText } from '../lib/clipboard.ts';
import { formatTime } from '../lib/format.ts';
import { toast } from '../lib/toasts.ts';
import { m } from '../paraglide/messages.js';

const copyIso = async (iso: string): Promise<void> => {
  if (await copyText(iso)) toast('success', m.copied());
};

/** A moment, local time; hover gives the distance and UTC, a click copies ISO 8601. */
export const Time = ({ unixSeconds }: { readonly unixSeconds: number }) => {
  const iso = new Date(unixSeconds * 1000).toISOString();
  return (
    <time
      dateTime={iso}
      data-tip-time={unixSeconds}
      className="whitespace-nowrap tabular-nums"
      onClick={(event) => {
        event.stopPropagation();
        void copyIso(iso);
      }}
    >
      {formatTime(unixSeconds)}
    </time>
  );
};
