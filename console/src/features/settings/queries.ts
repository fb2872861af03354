import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { listOptions, updateOption } from '@weir/contract/options';
import type { OptionKey } from '@weir/contract/options';
import { asText } from '../../lib/format/as-text.ts';
import { call, callWhole } from '../../lib/api/call.ts';
import { isRecord } from '../../lib/is-record.ts';

export interface StoredOptions {
  readonly values: Readonly<Record<string, string>>;
  /** The secret options that are set; undefined: this server does not report it. */
  readonly secretsSet: readonly string[] | undefined;
  /** A proxy that is not in the server's environment; empty: none is known. */
  readonly undeclaredProxy: string;
}

const readOptions = async (signal: AbortSignal): Promise<StoredOptions> => {
  const answer: unknown = await callWhole(listOptions, { signal });
  const rows = isRecord(answer) && Array.isArray(answer['data']) ? answer['data'].filter(isRecord) : [];
  const values = Object.fromEntries(rows.map(({ key, value }) => [String(key), String(value)]));
  const set = isRecord(answer) ? answer['secrets_set'] : undefined;
  const proxy = isRecord(answer) ? answer['undeclared_proxy'] : undefined;
  return {
    values,
    secretsSet: Array.isArray(set) ? set.map(String) : undefined,
    undeclaredProxy: asText(proxy) ?? '',
  };
};

export const optionsQuery = queryOptions({ queryKey: ['options'], queryFn: ({ signal }) => readOptions(signal) });

/** Shows a text as stored without a request. */
export const showOption = (client: QueryClient, key: OptionKey, value: string): void =>
  void client.setQueryData(optionsQuery.queryKey, (before) =>
    before === undefined ? before : { ...before, values: { ...before.values, [key]: value } },
  );

const showSecretSet = (client: QueryClient, key: OptionKey): void =>
  void client.setQueryData(optionsQuery.queryKey, (before) =>
    before?.secretsSet === undefined ? before : { ...before, secretsSet: [...before.secretsSet, key] },
  );

export const putOption = async (client: QueryClient, key: OptionKey, value: string, secret = false): Promise<void> => {
  await call(updateOption, { body: { key, value } });
  if (secret) showSecretSet(client, key);
  else showOption(client, key, value);
};
