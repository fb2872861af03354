import { useEffect, useState } from 'react';
import { Configured } from '../../components/text/configured.tsx';
import { systemName, useStatus } from '../../lib/api/status.ts';
import { readText } from '../../lib/browser/storage.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

const [pollsMax, pollMs] = [5, 200];

/** The configured footer: from the status, before that from storage, which is read up to 5 times. */
const useFooterHtml = (): string => {
  const { footer_html: fromStatus } = useStatus();
  const [stored, setStored] = useState(() => readText('footer_html') ?? '');
  const known = fromStatus !== undefined || stored !== '';
  useEffect(() => {
    if (known) return undefined;
    let polls = 0;
    const timer = setInterval(() => {
      polls += 1;
      setStored(readText('footer_html') ?? '');
      if (polls >= pollsMax) clearInterval(timer);
    }, pollMs);
    return () => clearInterval(timer);
  }, [known]);
  return fromStatus ?? stored;
};

/** The configured footer, else the system's name and version. */
export const FooterText = () => {
  const t = useT();
  const status = useStatus();
  const html = useFooterHtml();
  const version = status.build ?? status.version ?? '';
  return (
    <div className="text-center text-12 text-mute">
      {html ? (
        <Configured text={html} as="html" className="prose" />
      ) : (
        t(m.footer_default, { name: systemName(status), version })
      )}
    </div>
  );
};

export const Footer = () => (
  <footer className="print:hidden px-6 pt-2 pb-4">
    <FooterText />
  </footer>
);
