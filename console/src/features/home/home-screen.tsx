import { useQuery } from '@tanstack/react-query';
import { ConfiguredPage } from '../../components/text/configured-page.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { m } from '../../paraglide/messages.js';
import { NoticePanel } from './notice-panel.tsx';
import { homeContentQuery } from './queries.ts';
import { StartPage } from './start-page.tsx';

/** `/`: what the administrator configured, else a start page. */
export const HomeScreen = () => {
  const t = useT();
  useTitle(t(m.home_title));
  const { data: content, isPending } = useQuery(homeContentQuery);
  // Nothing rather than a page that is replaced a moment later.
  if (isPending) return null;
  return (
    <>
      <NoticePanel />
      {content ? <ConfiguredPage content={content} title={t(m.home_frame)} /> : <StartPage />}
    </>
  );
};
