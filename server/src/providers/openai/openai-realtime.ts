import { badBody } from '../failure.ts';
import { noStream } from '../no-stream.ts';
import { bearer, openAiFailure, type OpenAiTraits } from './openai-request.ts';
import type { Translation } from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

/**
 * Sessions over WebSockets. What is sent in them goes on as it is: this only says where they are held. The path is asked
 * for with the model in its query. Source: platform.openai.com, "Realtime API with WebSocket".
 */
export const openAiRealtime = (traits: OpenAiTraits, path: NonNullable<OpenAiTraits['realtimePath']>): Translation => ({
  request: (call, channel) => {
    const usable = usableChannel(channel);
    if (usable.kind === 'fault') return usable;
    const target = path({ ...call, query: `?model=${encodeURIComponent(call.model)}` }, usable);
    if (typeof target !== 'string') return target;
    const headers = [...(traits.headers ?? bearer)(call, usable), ...Object.entries(call.headers).flat()];
    const origin = usable.base.origin.replace(/^http/, 'ws');
    return { origin, path: target, method: 'GET', headers, body: Buffer.alloc(0) };
  },
  response: () => ({ kind: 'failure', failure: badBody('the upstream answered without opening a WebSocket') }),
  stream: noStream,
  failure: (status, body) => openAiFailure(status, body, traits),
});
