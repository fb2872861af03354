import { channelErrorKinds, type ChannelErrorKind } from '@weir/contract/channel-health';
import type { RefusalRule } from '@weir/contract/logs';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { ChargeReport } from '../relay/call/relay-observer.ts';
import { createCallMetrics } from './metrics/call-metrics.ts';

/** The relay's metrics. Each call only adds to numbers; they are converted when the metrics are read. */
export interface RelayMetrics {
  answered(status: number): void;
  charged(charge: ChargeReport): void;
  /** Seconds until an upstream's answer began. */
  began(seconds: number): void;
  /** Seconds that a call waited for a channel with room. */
  queued(seconds: number): void;
  failed(channelId: number, kind: ChannelErrorKind): void;
  refused(rule: RefusalRule): void;
  /** Records or sums of refused calls that could not be written. */
  refusalsLost(count: number): void;
}

/** Seconds: from a cached answer to a reasoning model. */
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Channels with their own label; the others share one. */
const channelsMax = 500;

/** A counter whose values are kept outside of it until they are read. */
const countedElsewhere = (
  registry: Registry,
  { name, help, labelNames }: { readonly name: string; readonly help: string; readonly labelNames: readonly string[] },
  values: () => Iterable<readonly [labels: Record<string, string>, value: number]>,
): void => {
  new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      this.reset();
      for (const [labels, value] of values()) this.inc(labels, value);
    },
  });
};

const countAnswers = (registry: Registry) => {
  const answers = new Map<number, number>();
  countedElsewhere(
    registry,
    {
      name: 'weir_relay_requests_total',
      help: 'Relayed calls by response status; 0: the client disconnected.',
      labelNames: ['status'],
    },
    () => [...answers].map(([status, count]) => [{ status: String(status) }, count]),
  );
  return (status: number) => void answers.set(status, (answers.get(status) ?? 0) + 1);
};

const countCharges = (registry: Registry) => {
  const sums = { prompt: 0, completion: 0, quota: 0 };
  countedElsewhere(registry, { name: 'weir_relay_tokens_total', help: 'Tokens charged.', labelNames: ['part'] }, () => [
    [{ part: 'prompt' }, sums.prompt],
    [{ part: 'completion' }, sums.completion],
  ]);
  countedElsewhere(registry, { name: 'weir_relay_quota_total', help: 'Quota charged.', labelNames: [] }, () => [
    [{}, sums.quota],
  ]);
  const countCall = createCallMetrics(registry);
  return (charge: ChargeReport) => {
    const { prompt, completion, quota } = charge;
    countCall(charge);
    sums.prompt += prompt;
    sums.completion += completion;
    sums.quota += quota;
  };
};

const countFailures = (registry: Registry) => {
  const failures = new Map<string, Map<ChannelErrorKind, number>>();
  countedElsewhere(
    registry,
    {
      name: 'weir_relay_attempt_failures_total',
      help: `Failed attempts on a channel, by kind: ${channelErrorKinds.join(', ')}.`,
      labelNames: ['channel', 'kind'],
    },
    () =>
      [...failures].flatMap(([channel, kinds]) =>
        [...kinds].map(([kind, count]) => [{ channel, kind }, count] as const),
      ),
  );
  return (channelId: number, kind: ChannelErrorKind) => {
    const own = String(channelId);
    const channel = failures.has(own) || failures.size < channelsMax ? own : 'other';
    const kinds = failures.get(channel) ?? new Map<ChannelErrorKind, number>();
    failures.set(channel, kinds);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  };
};

const countRefusals = (registry: Registry) => {
  const rules = new Map<RefusalRule, number>();
  let lost = 0;
  countedElsewhere(
    registry,
    { name: 'weir_relay_refusals_total', help: 'Refused calls, by rule.', labelNames: ['rule'] },
    () => [...rules].map(([rule, count]) => [{ rule }, count]),
  );
  countedElsewhere(
    registry,
    {
      name: 'weir_refusals_lost_total',
      help: 'Counts and records of refused calls that could not be stored.',
      labelNames: [],
    },
    () => [[{}, lost]],
  );
  return {
    refused: (rule: RefusalRule) => void rules.set(rule, (rules.get(rule) ?? 0) + 1),
    refusalsLost: (count: number) => void (lost += count),
  };
};

/**
 * Adds the relay's metrics to those of the process. Their labels take few values: no key and no person is one, and
 * models, channels and groups are bounded.
 */
export const createRelayMetrics = (registry: Registry): RelayMetrics => {
  const firstByte = new Histogram({
    name: 'weir_relay_upstream_first_byte_seconds',
    help: 'Time from sending an upstream request to its response head.',
    buckets,
    registers: [registry],
  });
  const queue = new Histogram({
    name: 'weir_relay_queue_seconds',
    help: 'Time that calls waited for a channel with room, whether they found it or not.',
    buckets,
    registers: [registry],
  });
  return {
    answered: countAnswers(registry),
    charged: countCharges(registry),
    began: (seconds) => firstByte.observe(seconds),
    queued: (seconds) => queue.observe(seconds),
    failed: countFailures(registry),
    ...countRefusals(registry),
  };
};
