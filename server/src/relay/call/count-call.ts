import { attemptOn } from './attempt-on.ts';
import { chooseChannel } from '../routing/choose-channel.ts';
import type { RelayContext } from './relay-context.ts';
import type { RelayedCall } from './relayed-call.ts';
import { RelayError } from '../client/relay-error.ts';
import { responseHeaders } from '../client/response-headers.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';

const none: ReadonlySet<RoutedChannel> = new Set();
const json = ['content-type', 'application/json; charset=utf-8'];

/** Asks a channel whose vendor counts; null: there is none, or it did not answer well. */
const askVendor = async (context: RelayContext, call: RelayedCall) => {
  const { access, dialect, inbound } = call;
  await context.routes.ready();
  const serving = context.routes.serving(access.group, inbound.model);
  if (serving.length === 0) throw new RelayError('no_channel', { model: inbound.model, group: access.group });
  const counting = serving.filter(
    ({ provider }) => provider !== null && context.translations.of(dialect, provider) !== null,
  );
  const { breaker, random } = context;
  const channel = chooseChannel(counting, { model: inbound.model, failedKeys: none, breaker, stickyKey: null, random });
  if (channel === null) return null;
  const result = await attemptOn(context, call, { channel, outputCap: null });
  if (result.kind === 'stream') result.pending.abort();
  return result.kind === 'plain' ? result : null;
};

/** Tells how many prompt tokens a call would have, as its vendor counts them or else as they are counted here. Free. */
export const countCall = async (
  context: RelayContext,
  call: RelayedCall,
  write: (tokens: number) => string,
): Promise<void> => {
  const counted = await askVendor(context, call);
  if (counted === null) return call.client.answer(200, json, write(await call.countPrompt()));
  const { answer, response } = counted;
  call.client.answer(answer.status, responseHeaders(answer.headers, response.contentType), response.body);
};
