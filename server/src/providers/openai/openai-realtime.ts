import { badBody } from '../failure.ts';
import { noStream } from '../no-stream.ts';
import { bearer, openAiFailure, type OpenAiTraits } from './openai-request.ts';
import type { Translation } from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

/**
 * Realtime sessions over WebSockets. Their messages are passed through: this only builds the address, with the model in
 * its query. Source: platform.openai.com, "Realtime API with WebSocket".
 */
export const openAiRealtime = (traits: OpenAiTraits, path: NonNullable<OpenAiTraits['realtimePath']>): Translation => ({
  request: (call, channel) => {
    const usable = usableChannel(channel);
    if (usable.kind === 'fault') return usable;
    const sessionPath = path({ ...call, query: `?model=${encodeURIComponent(call.model)}` }, usable);
    if (typeof sessionPath !== 'string') return sessionPath;
    const headers = [...(traits.headers ?? bearer)(call, usable), ...Object.entries(call.headers).flat()];
    const origin = usable.base.origin.replace(/^http/, 'ws');
    return { origin, path: sessionPath, method: 'GET', headers, body: Buffer.alloc(0) };
  },
  response: () => ({ kind: 'failure', failure: badBody('the upstream did not open a WebSocket') }),
  stream: noStream,
  failure: (status, body) => openAiFailure(status, body, traits),
});
