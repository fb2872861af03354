import { formatTime } from '../../lib/format/format.ts';
import { useOffline } from '../../lib/api/offline.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** When the network was lost; unknown if the page was opened offline. */
let since: number | undefined;
addEventListener('offline', () => (since = Date.now()));

/** States that the data on screen cannot be refreshed at the moment. */
export const OfflineBar = () => {
  const t = useT();
  if (!useOffline()) return null;
  return (
    <p role="status" className="bg-warn-bg px-4 py-1 text-center text-13 text-warn">
      {since === undefined ? t(m.offline) : t(m.offline_since, { time: formatTime(since / 1000).slice(11, 16) })}
    </p>
  );
};
