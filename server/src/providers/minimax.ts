import { isObject } from '../conversation/json.ts';
import { joinPath } from './base-url.ts';
import { readFailure } from './failure.ts';
import type { ChannelFault, ProviderChannel, RelayCall, RelayFailure } from './provider.ts';

const legacyModel = /^(?:abab|MiniMax-Text-01)/;

/** Old models on the old host live under their own path. */
export const miniMaxPath = (call: RelayCall, { base }: ProviderChannel): string | ChannelFault => {
  if (base === null) return { kind: 'fault', message: 'the channel has no valid base URL' };
  const legacy = base.origin.endsWith('.minimax.chat') && legacyModel.test(call.model);
  const path = legacy ? '/text/chatcompletion_v2' : call.path.slice('/v1'.length);
  return joinPath(base, '/v1', path) + call.query;
};

/** The HTTP status that each of the vendor's codes means. */
const statusOfCode = new Map<number, number>([
  [1001, 504],
  [1002, 429],
  [1039, 429],
  [1041, 429],
  [2056, 429],
  [1004, 401],
  [2049, 401],
  [1008, 402],
  [1026, 400],
  [1027, 400],
  [2013, 400],
  [1042, 400],
  [20132, 400],
]);

/** `base_resp.status_code` other than 0 with a success status and no choices. */
export const miniMaxFailure = (body: Readonly<Record<string, unknown>>): RelayFailure | null => {
  const response = body['base_resp'];
  const code = isObject(response) ? response['status_code'] : 0;
  if (typeof code !== 'number' || code === 0 || (Array.isArray(body['choices']) && body['choices'].length > 0))
    return null;
  return readFailure(
    statusOfCode.get(code) ?? 502,
    JSON.stringify({ ...body, error: { message: isObject(response) ? response['status_msg'] : '', code } }),
  );
};
