import { failureKind } from '../relay/routing/failure-kind.ts';
import type { AttemptReport, BrokenStream, RelayObserver } from '../relay/call/relay-observer.ts';
import type { Options } from '../store/options.ts';
import type { ChannelSwitches, JudgedChannel } from './channels/channel-switches.ts';
import type { ChannelTally } from './channels/channel-tally.ts';
import type { Reason } from './notices.ts';
import type { QuotaReminders } from './reminders/quota-reminders.ts';
import type { RefusalLog } from './refusals/refusal-log.ts';
import type { RelayMetrics } from './relay-metrics.ts';
import { createSuccessRates, type SuccessRule } from './channels/success-rates.ts';

export interface RelayObserverDeps {
  readonly options: Options;
  readonly tally: ChannelTally;
  readonly metrics: RelayMetrics;
  readonly switches: ChannelSwitches;
  readonly reminders: QuotaReminders;
  readonly refusals: RefusalLog;
  /** Absent: no channel is disabled for its success rate. */
  readonly successRule: SuccessRule | undefined;
  onError(error: unknown): void;
}

type Disable = (channel: JudgedChannel, reason: Reason) => void;

/** Concurrent calls may find the same reason: the channel is disabled once. */
const createDisable = ({ switches, onError }: RelayObserverDeps): Disable => {
  const underWay = new Set<number>();
  return (channel, reason) => {
    if (underWay.has(channel.id)) return;
    underWay.add(channel.id);
    switches
      .disable(channel, reason)
      .catch(onError)
      .finally(() => underWay.delete(channel.id));
  };
};

/** Disables channels whose account is refused. */
const judgeAccount =
  ({ options }: RelayObserverDeps, disable: Disable) =>
  ({ channel, failed, hasHealthySibling, test }: AttemptReport): void => {
    if (failed?.failure.refusesAccount !== true || test || hasHealthySibling) return;
    if (!options.get('AutomaticDisableChannelEnabled')) return;
    const { status, failure } = failed;
    disable(channel, {
      en: `http status code: ${status}, error message: ${failure.error.message}`,
      zh: `HTTP 状态码：${status}，错误信息：${failure.error.message}`,
    });
  };

const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`;

/** Disables channels with a low success rate. Invalid requests do not count. */
const judgeSuccess = ({ successRule }: RelayObserverDeps, disable: Disable) => {
  if (successRule === undefined) return () => undefined;
  const { calls, least } = successRule;
  const rates = createSuccessRates(successRule);
  return (channel: JudgedChannel, failure: BrokenStream['failure'] | undefined): void => {
    if (failure === undefined) return rates.succeeded(channel.id);
    if (failureKind(failure) === 'request') return;
    const rate = rates.failed(channel.id);
    if (rate === undefined) return;
    disable(channel, {
      en: `${percent(rate)} of the latest ${calls} calls succeeded; the minimum is ${percent(least)}`,
      zh: `最近 ${calls} 次调用的成功率为 ${percent(rate)}，低于下限 ${percent(least)}`,
    });
  };
};

/** Observes the relay: updates channel health and metrics, disables channels, and sends reminders. */
export const createRelayObserver = (deps: RelayObserverDeps): RelayObserver => {
  const { tally, metrics, refusals, reminders } = deps;
  const disable = createDisable(deps);
  const judgeRefusal = judgeAccount(deps, disable);
  const judgeOutcome = judgeSuccess(deps, disable);
  return {
    onAttempt: (report) => {
      const { channel, failed, ms, headMs, model, requestId, test } = report;
      if (!test) judgeOutcome(channel, failed?.failure);
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
      judgeRefusal(report);
    },
    onBrokenStream: ({ channel, failure, model, requestId }) => {
      judgeOutcome(channel, failure);
      const kind = failureKind(failure);
      tally.count({ channelId: channel.id, outcome: kind, ms: 0 });
      const { message } = failure.error;
      tally.keep({ channel_id: channel.id, kind, status: 200, message, model_name: model, request_id: requestId });
      metrics.failed(channel.id, kind);
    },
    onCharge: (charge) => {
      metrics.charged(charge);
      if (charge.result?.user !== undefined)
        reminders.spent({ userId: charge.userId, charged: charge.result.charged, balance: charge.result.user });
    },
    onAnswer: (_, status) => metrics.answered(status),
    onRefused: refusals.note,
    onQueued: (ms) => metrics.queued(ms / 1000),
  };
};
