import type { ChannelHealth } from '@weir/contract/channel-health';
import type { Channel } from '@weir/contract/channels';
import { Money } from '../../../components/text/money.tsx';
import { Tile } from '../../../components/text/tile.tsx';
import { Time } from '../../../components/text/time.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { BalanceCell } from '../list/balance-cell.tsx';
import { ResponseCell } from '../list/channel-cells.tsx';
import { seconds, shareOf } from './health-labels.ts';

interface HealthTilesProps {
  readonly channel: Channel;
  readonly health: ChannelHealth;
}

/** The key figures. */
export const HealthTiles = ({ channel, health }: HealthTilesProps) => {
  const t = useT();
  const { hour, day } = health;
  const share = shareOf(hour);
  const dayShare = shareOf(day);
  const attempts = { succeeded: hour.succeeded, total: hour.succeeded + hour.failed };
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-5 max-lg:[&>:last-child]:col-span-2">
      <Tile
        name={t(m.health_success)}
        detail={dayShare && t(m.health_success_day, { share: t(m.health_share, { share: dayShare }) })}
      >
        {share === undefined ? none(t(m.health_none)) : t(m.health_share, { share })}
        {share !== undefined && <span className="sr-only"> · {t(m.health_attempts, attempts)}</span>}
      </Tile>
      <Tile name={t(m.health_time)} detail={hour.p95 > 0 && t(m.health_time_detail, { seconds: seconds(hour.p95) })}>
        {hour.p50 === 0 ? none(t(m.health_none)) : t(m.channel_seconds, { seconds: seconds(hour.p50) })}
      </Tile>
      <Tile name={t(m.health_last_test)} detail={channel.test_time > 0 && <Time unixSeconds={channel.test_time} />}>
        <ResponseCell channel={channel} />
      </Tile>
      <Tile name={t(m.health_spend)}>
        <Money quota={channel.used_quota} />
      </Tile>
      <Tile name={t(m.health_balance)}>
        <BalanceCell channel={channel} />
      </Tile>
    </dl>
  );
};

const none = (text: string) => <span className="text-14 font-normal text-mute">{text}</span>;
