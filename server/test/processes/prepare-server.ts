import { signInTo } from '../clients/management-client.ts';
import { rootPassword, type ServerProcess } from './server-process.ts';

/** The model that the one channel of a prepared server serves. */
export const servedModel = 'weir-test';

/** What it costs: one unit for a prompt token, two for a completion token. */
export const servedPrice = ({ prompt, completion }: { readonly prompt: number; readonly completion: number }): number =>
  prompt + 2 * completion;

/** Gives a new server prices, one channel and a token of root's with plenty; resolves to the token's key. */
export const prepareServer = async (
  { url }: Pick<ServerProcess, 'url'>,
  upstream: { readonly url: string; readonly key: string },
): Promise<string> => {
  const root = await signInTo(url, 'root', rootPassword);
  await root.call('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify({ [servedModel]: 1 }) });
  await root.call('PUT', '/api/option/', { key: 'CompletionRatio', value: JSON.stringify({ [servedModel]: 2 }) });
  await root.call('POST', '/api/channel/', {
    type: 8,
    name: 'fake upstream',
    key: upstream.key,
    base_url: upstream.url,
    models: servedModel,
    group: 'default',
  });
  const remain_quota = 1_000_000_000_000;
  const token = await root.call<{ key: string }>('POST', '/api/token/', { name: 'load', remain_quota });
  return `sk-${token.key}`;
};
