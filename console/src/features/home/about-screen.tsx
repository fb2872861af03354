import { useQuery } from '@tanstack/react-query';
import { ConfiguredPage } from '../../components/text/configured-page.tsx';
import { Failure } from '../../components/failure.tsx';
import { systemName, useStatus } from '../../lib/api/status.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { m } from '../../paraglide/messages.js';
import { aboutQuery } from './queries.ts';

/** `/about` */
export const AboutScreen = () => {
  const t = useT();
  const status = useStatus();
  useTitle(t(m.nav_about));
  const version = status.build || status.version || t(m.about_version_unknown);
  const { data: content, error, isPending, refetch } = useQuery(aboutQuery);
  if (isPending) return null;
  if (error)
    return (
      <>
        <h1 className="sr-only">{t(m.nav_about)}</h1>
        <Failure error={error} onRetry={() => void refetch()} />
      </>
    );
  if (content) return <ConfiguredPage content={content} title={t(m.nav_about)} />;
  return (
    <div className="mx-auto flex w-full max-w-180 flex-col gap-3 pt-6">
      <h1 className="text-20 font-semibold">{systemName(status)}</h1>
      <p className="text-mute">{t(m.about_text, { version })}</p>
    </div>
  );
};
