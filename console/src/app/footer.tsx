import { Configured } from '../components/configured.tsx';
import { systemName, useStatus } from '../lib/status.ts';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';

/** The configured footer, else the system's name and version. */
export const Footer = () => {
  const t = useT();
  const status = useStatus();
  const version = status.build ?? status.version ?? '';
  return (
    <footer className="px-6 pt-2 pb-4 text-center text-12 text-mute">
      {status.footer_html ? (
        <Configured text={status.footer_html} as="html" className="prose" />
      ) : (
        t(m.footer_default, { name: systemName(status), version })
      )}
    </footer>
  );
};
