import { parseRatioTable, ratioToNumber } from '../billing/price/ratio.ts';
import type { RunTerms } from '../store/runs/runs.ts';
import type { QueueSettings } from './rates/call-queue.ts';
import type { Options } from '../store/options.ts';

/** Options that every call needs, read once for each change. */
export interface RelaySettings {
  readonly retryTimes: number;
  /** Tokens. */
  readonly preConsumedQuota: number;
  readonly logsConsumption: boolean;
  readonly queue: QueueSettings;
  /** Limits of every run; 0: none. */
  readonly runs: RunTerms;
  /** The name of this gateway, for upstreams that require the sender. */
  readonly gateway: { readonly name: string; readonly address: string };
}

const keys = [
  'RetryTimes',
  'PreConsumedQuota',
  'LogConsumeEnabled',
  'QueueSeconds',
  'QueueLengthMax',
  'QueueGroupWeights',
  'RunBudget',
  'RunCallsMax',
  'RunSeconds',
  'SystemName',
  'ServerAddress',
] as const;

const readQueue = (options: Options): QueueSettings => {
  const weights = new Map<string, number>();
  for (const [group, weight] of parseRatioTable(options.text('QueueGroupWeights')) ?? []) {
    const value = ratioToNumber(weight);
    if (value > 0) weights.set(group, value);
  }
  return {
    waitMs: options.get('QueueSeconds') * 1000,
    lengthMax: options.get('QueueLengthMax'),
    weightOf: (group) => weights.get(group) ?? 1,
  };
};

const read = (options: Options): RelaySettings => ({
  retryTimes: options.get('RetryTimes'),
  preConsumedQuota: options.get('PreConsumedQuota'),
  logsConsumption: options.get('LogConsumeEnabled'),
  queue: readQueue(options),
  runs: {
    amount: options.get('RunBudget'),
    callsMax: options.get('RunCallsMax'),
    seconds: options.get('RunSeconds'),
  },
  gateway: { name: options.get('SystemName'), address: options.get('ServerAddress') },
});

/** Keeps the settings current with the options. */
export const watchSettings = (options: Options): { current(): RelaySettings; close(): void } => {
  let settings = read(options);
  const unwatch = options.watch(keys, () => {
    settings = read(options);
  });
  return { current: () => settings, close: unwatch };
};
