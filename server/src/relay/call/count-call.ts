import { attemptOn } from './attempt-on.ts';
import { chooseChannel } from '../routing/choose-channel.ts';
import type { Job, RelayTools } from './job.ts';
import { RelayError } from '../client/relay-error.ts';
import { responseHeaders } from '../client/response-headers.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';

const none: ReadonlySet<RoutedChannel> = new Set();
const json = ['content-type', 'application/json; charset=utf-8'];

/** Asks a channel whose vendor counts; null: there is none, or it did not answer well. */
const askVendor = async (tools: RelayTools, job: Job) => {
  const { access, dialect, inbound } = job;
  await tools.routes.ready();
  const serving = tools.routes.serving(access.group, inbound.model);
  if (serving.length === 0) throw new RelayError('no_channel', { model: inbound.model, group: access.group });
  const counting = serving.filter(
    ({ provider }) => provider !== null && tools.translations.of(dialect, provider) !== null,
  );
  const { rests, random } = tools;
  const channel = chooseChannel(counting, { model: inbound.model, tried: none, rests, stays: null, random });
  if (channel === null) return null;
  const result = await attemptOn(tools, job, { channel, outputCap: null });
  if (result.kind === 'stream') result.pending.abort();
  return result.kind === 'plain' ? result : null;
};

/** Tells how many prompt tokens a call would have, as its vendor counts them or else as they are counted here. Free. */
export const countCall = async (tools: RelayTools, job: Job, write: (tokens: number) => string): Promise<void> => {
  const counted = await askVendor(tools, job);
  if (counted === null) return job.client.answer(200, json, write(await job.countPrompt()));
  const { answer, response } = counted;
  job.client.answer(answer.status, responseHeaders(answer.headers, response.contentType), response.body);
};
