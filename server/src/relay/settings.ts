import type { Options } from '../store/options.ts';

/** Options that every call needs, read once for each change. */
export interface RelaySettings {
  readonly retryTimes: number;
  /** Tokens. */
  readonly preConsumedQuota: number;
  readonly logsConsumption: boolean;
  /** The name of this gateway, for upstreams that require the sender. */
  readonly gateway: { readonly name: string; readonly address: string };
}

const keys = ['RetryTimes', 'PreConsumedQuota', 'LogConsumeEnabled', 'SystemName', 'ServerAddress'] as const;

const read = (options: Options): RelaySettings => ({
  retryTimes: options.get('RetryTimes'),
  preConsumedQuota: options.get('PreConsumedQuota'),
  logsConsumption: options.get('LogConsumeEnabled'),
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
