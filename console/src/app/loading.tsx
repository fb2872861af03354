import { useT } from '../lib/hooks/use-t.ts';
import { m } from '../paraglide/messages.js';

/** Shown while the chunk of a screen loads (specification §4). */
export const Loading = () => {
  const t = useT();
  return (
    <p role="status" className="py-20 text-center text-mute first-letter:uppercase">
      {t(m.loading, { page: t(m.loading_default) })}
    </p>
  );
};
