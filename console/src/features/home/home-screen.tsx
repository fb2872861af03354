import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfiguredPage } from '../../components/text/configured-page.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { m } from '../../paraglide/messages.js';
import { homeContentQuery, noticeQuery } from './queries.ts';
import { StartPage } from './start-page.tsx';
import { Configured } from '../../components/text/configured.tsx';
import { Icon } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { fingerprint } from '../../lib/browser/fingerprint.ts';
import { readText, writeText } from '../../lib/browser/storage.ts';

/** The administrator's notice: each text is shown until it is dismissed. */
const NoticePanel = () => {
  const t = useT();
  const { data: notice } = useQuery(noticeQuery);
  const [dismissed, setDismissed] = useState('');
  if (!notice) return null;
  const flag = `prompt-notice-${fingerprint(notice)}` as const;
  if (dismissed === flag || readText(flag) === 'true') return null;
  const dismiss = (): void => {
    writeText(flag, 'true');
    setDismissed(flag);
  };
  return (
    <section
      aria-label={t(m.home_notice)}
      className="mx-auto mb-4 flex w-full max-w-180 items-start gap-3 rounded-card border border-line bg-raised py-2 pr-2 pl-4"
    >
      <Icon name="info" className="mt-1.5 size-4 text-brand" />
      <Configured text={notice} as="markdown" className="prose min-w-0 flex-1 py-1" />
      <IconButton icon="close" label={t(m.home_dismiss)} onClick={dismiss} />
    </section>
  );
};

/** `/`: the configured home page, else a start page. */
export const HomeScreen = () => {
  const t = useT();
  useTitle(t(m.home_title));
  const { data: content, isPending } = useQuery(homeContentQuery);
  // Empty rather than a page that is replaced a moment later.
  if (isPending) return null;
  return (
    <>
      <NoticePanel />
      {content ? <ConfiguredPage content={content} title={t(m.home_frame)} /> : <StartPage />}
    </>
  );
};
