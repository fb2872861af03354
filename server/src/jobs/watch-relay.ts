import { failureKind } from '../relay/failure-kind.ts';
import type { AttemptReport, RelayWatch } from '../relay/watch.ts';
import type { Options } from '../store/options.ts';
import type { ChannelSwitches } from './channel-switches.ts';
import type { ChannelTally } from './channel-tally.ts';
import type { QuotaReminders } from './quota-reminders.ts';
import type { RelayMetrics } from './relay-metrics.ts';

export interface WatchRelayDeps {
  readonly options: Options;
  readonly tally: ChannelTally;
  readonly metrics: RelayMetrics;
  readonly switches: ChannelSwitches;
  readonly reminders: QuotaReminders;
  onError(error: unknown): void;
}

/** Disables channels whose account is refused. Many calls may meet the refusal at once: one of them is enough. */
const createDisabler = ({ options, switches, onError }: WatchRelayDeps) => {
  const underWay = new Set<number>();
  return ({ channel, failed, spare, test }: AttemptReport): void => {
    if (failed?.failure.refusesAccount !== true || test || spare || underWay.has(channel.id)) return;
    if (!options.get('AutomaticDisableChannelEnabled')) return;
    underWay.add(channel.id);
    const { status, failure } = failed;
    switches
      .disable(channel, `http status code: ${status}, error message: ${failure.error.message}`)
      .catch(onError)
      .finally(() => underWay.delete(channel.id));
  };
};

/** Follows the relay: counts for the health of channels, for the figures of the process, and for whom to tell what. */
export const watchRelay = (deps: WatchRelayDeps): RelayWatch => {
  const { tally, metrics, reminders } = deps;
  const disable = createDisabler(deps);
  return {
    attempted: (report) => {
      const { channel, failed, ms, headMs, model, requestId } = report;
      if (failed === null) {
        tally.count({ channelId: channel.id, outcome: 'ok', ms });
        metrics.began(headMs / 1000);
        return;
      }
      const { failure, status } = failed;
      const kind = failureKind(failure);
      tally.count({ channelId: channel.id, outcome: kind, ms: 0 });
      tally.keep({
        channel_id: channel.id,
        kind,
        status,
        message: failure.error.message,
        model_name: model,
        request_id: requestId,
      });
      metrics.failed(channel.id, kind);
      disable(report);
    },
    brokeOff: ({ channel, failure, model, requestId }) => {
      const kind = failureKind(failure);
      tally.count({ channelId: channel.id, outcome: kind, ms: 0 });
      const { message } = failure.error;
      tally.keep({ channel_id: channel.id, kind, status: 200, message, model_name: model, request_id: requestId });
      metrics.failed(channel.id, kind);
    },
    charged: (charge) => {
      metrics.charged(charge);
      if (charge.result?.user !== undefined)
        reminders.spent({ userId: charge.userId, charged: charge.result.charged, balance: charge.result.user });
    },
    answered: metrics.answered,
  };
};
