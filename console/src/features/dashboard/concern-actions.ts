import type { QueryClient } from '@tanstack/react-query';
import { channelStatus, testChannel, updateChannel } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { updateToken } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import { call, callWhole } from '../../lib/api/call.ts';

const monthSeconds = 30 * 86_400;

/** Lists of channels and keys are read anew; what stands here keeps the line until the next visit. */
const forget = (client: QueryClient, key: 'channels' | 'tokens'): void =>
  void client.invalidateQueries({ queryKey: [key] });

/** Resolves to the milliseconds it took. */
export const test = async (client: QueryClient, { id }: Channel): Promise<number> => {
  const { time } = await callWhole(testChannel, { params: { id }, query: { model: '' } });
  forget(client, 'channels');
  return time * 1000;
};

export const enable = async (client: QueryClient, { id }: Channel): Promise<void> => {
  await call(updateChannel, { body: { id, status: channelStatus.enabled } });
  forget(client, 'channels');
};

/** Members that are not changed are echoed: `used_quota` as loaded, so that nothing is credited back. */
export const expireAt = async (client: QueryClient, token: Token, at: number): Promise<void> => {
  const { id, name, remain_quota, used_quota, unlimited_quota, models, subnet } = token;
  await call(updateToken, {
    body: { id, name, remain_quota, used_quota, unlimited_quota, models, subnet, expired_time: at },
  });
  forget(client, 'tokens');
  client.removeQueries({ queryKey: ['token', id] });
};

/** A month after it would have ended, or after now where that is past. */
export const extendedTime = ({ expired_time: at }: Token): number =>
  Math.max(at, Math.floor(Date.now() / 1000)) + monthSeconds;
