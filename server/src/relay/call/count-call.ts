import { RelayError } from '../client/relay-error.ts';
import { responseHeaders } from '../client/response-headers.ts';
import { chooseChannel } from '../routing/choose-channel.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import type { RelayedCall } from './relayed-call.ts';
import { attemptRequest } from './run-attempt.ts';

const none: ReadonlySet<RoutedChannel> = new Set();
const json = ['content-type', 'application/json; charset=utf-8'];

/** The count by a vendor that offers one; null: no channel does, or its answer is a failure. */
const countByVendor = async (call: RelayedCall) => {
  const { access, context, dialect, inbound } = call;
  const { breaker, random, routes, translations } = context;
  const { model } = inbound;
  await routes.ready();
  const serving = routes.serving(access.group, model);
  if (serving.length === 0) throw new RelayError('no_channel', { model, group: access.group });
  const counting = serving.filter(({ provider }) => provider !== null && translations.of(dialect, provider) !== null);
  const channel = chooseChannel(counting, { model, failedKeys: none, breaker, isFull: null, stickyKey: null, random });
  if (channel === null) return null;
  const result = await attemptRequest(call, { channel, outputCap: null });
  if (result.kind === 'stream') result.pending.abort();
  return result.kind === 'plain' ? result : null;
};

/** Answers how many prompt tokens a call would have, by its vendor's count or else by the gateway's. Free of charge. */
export const countCall = async (call: RelayedCall, write: (tokens: number) => string): Promise<void> => {
  const counted = await countByVendor(call);
  if (counted === null) return call.client.answer(200, json, write(await call.countPrompt()));
  const { answer, response } = counted;
  call.client.answer(answer.status, responseHeaders(call.dialect, answer.headers, response.contentType), response.body);
};
