import { useQuery } from '@tanstack/react-query';
import type { ChannelHealth } from '@weir/contract/channel-health';
import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { useParams } from 'wouter';
import { Failure } from '../../../components/failure.tsx';
import { FormSkeleton } from '../../../components/form/form-skeleton.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { stringifySearch } from '../../../lib/lists/search-params.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { StatusCell, TypeCell } from '../list/channel-cells.tsx';
import { HealthActions } from './health-actions.tsx';
import { HealthFailures } from './health-failures.tsx';
import { HealthHours } from './health-hours.tsx';
import { HealthRoute } from './health-route.tsx';
import { HealthTests } from './health-tests.tsx';
import { HealthTiles } from './health-tiles.tsx';
import { HealthErrors, HealthKeys, HealthModels } from './health-uses.tsx';
import { healthQuery } from '../operations.ts';
import { channelQuery } from '../queries.ts';

/** `/channel/{id}`: health of a channel. */
export const HealthScreen = () => {
  const { id: text }: { id?: string } = useParams();
  const id = Number(text);
  const t = useT();
  const channel = useQuery(channelQuery(id));
  const health = useQuery(healthQuery(id));
  const failed = channel.error ?? health.error;
  const retry = (): void => void Promise.all([channel.refetch(), health.refetch()]);
  if (channel.data && health.data) return <Health channel={channel.data} health={health.data} />;
  return (
    <>
      <PageHead title={t(m.health_title)} />
      {failed ? <Failure error={failed} onRetry={retry} /> : <FormSkeleton fields={6} />}
    </>
  );
};

interface HealthProps {
  readonly channel: Channel;
  readonly health: ChannelHealth;
}

const Health = ({ channel, health }: HealthProps) => {
  const t = useT();
  const { id, name, status, type } = channel;
  const reason = status === channelStatus.autoDisabled ? health.status_reason : '';
  return (
    <div className="flex flex-col gap-5">
      <div>
        <PageHead title={name || String(id)}>
          <HealthActions channel={channel} />
        </PageHead>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-13">
          <StatusCell channel={channel} />
          <TypeCell type={type} />
          <a className={link} href="/channel">
            {t(m.health_back)}
          </a>
          <a className={link} href={`/log${stringifySearch({ channel: id })}`}>
            {t(m.health_log)}
          </a>
        </div>
      </div>
      {reason !== '' && <Notice tone="warn">{t(m.channel_status_auto_reason, { reason })}</Notice>}
      <HealthTiles channel={channel} health={health} />
      <HealthHours hours={health.hours} />
      <HealthTests channel={channel} />
      <div className="grid gap-5 lg:grid-cols-3">
        <HealthErrors errors={health.errors} />
        <HealthModels models={health.models} />
        <HealthKeys keys={health.keys} />
      </div>
      <HealthRoute channel={channel} />
      <HealthFailures failures={health.failures} />
    </div>
  );
};

const link =
  'inline-flex min-h-7 items-center font-medium text-brand underline-offset-2 hover:underline pointer-coarse:min-h-11';
