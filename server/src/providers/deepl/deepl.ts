import type { Answer } from '../../conversation/answer.ts';
import { type Conversation, forcesTool } from '../../conversation/conversation.ts';
import { objectsAt, textAt } from '../../conversation/json.ts';
import { joinTexts } from '../../conversation/text.ts';
import { badBody, readFailure, refusal } from '../failure.ts';
import { jsonBody, jsonEvents } from '../json-events.ts';
import type {
  ChannelFault,
  Codec,
  Provider,
  ProviderChannel,
  Refusal,
  ProviderCall,
  UpstreamRequest,
} from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

/** The text to translate: the last turn. */
const textOf = ({ turns }: Conversation): string | null => {
  const parts = turns.at(-1)?.parts ?? [];
  return parts.every(({ kind }) => kind === 'text') ? joinTexts(parts, '\n') : null;
};

/** `deepl-zh` translates into Chinese, as does a model without a language. */
const languageOf = (model: string): string => (/-(.+)$/.exec(model)?.[1] ?? 'zh').toUpperCase();

const request = (
  conversation: Conversation,
  call: ProviderCall,
  channel: ProviderChannel,
): UpstreamRequest | ChannelFault | Refusal => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  if (forcesTool(conversation.toolChoice)) return refusal('this channel has no tools', 'tool_choice');
  const text = textOf(conversation);
  if (text === null) return refusal('this channel translates text only');
  return {
    origin: usable.base.origin,
    path: `${usable.base.path.replace(/\/v\d+$/, '')}/v2/translate`,
    method: 'POST',
    headers: ['content-type', 'application/json', 'authorization', `DeepL-Auth-Key ${usable.key}`],
    body: Buffer.from(JSON.stringify({ text: [text], target_lang: languageOf(call.model) })),
  };
};

/** The vendor bills its input only: the prompt tokens are the bytes of the text (wire contract 3.12). */
const answer: Codec['answer'] = (body, call): Answer | Refusal => {
  const read = jsonBody(body, () => null);
  if (read.kind === 'refusal') return read;
  const translations = objectsAt(read.members, 'translations');
  if (translations.length === 0)
    return { kind: 'refusal', failure: badBody('the upstream response has no translations') };
  const conversation = call.conversation();
  const prompt = 'kind' in conversation ? 0 : Buffer.byteLength(textOf(conversation) ?? '');
  return {
    id: '',
    parts: translations.map((translation) => ({ kind: 'text', text: textAt(translation, 'text') })),
    finish: 'stop',
    usage: { prompt, completion: 0, total: prompt, freeOutput: true },
  };
};

/** This API does not stream: the client's dialect writes the whole answer as a stream. */
const events: Codec['events'] = () =>
  jsonEvents({
    failureIn: () => null,
    read: () => ({ events: [], failure: badBody('the upstream sent an unexpected stream') }),
    finished: () => false,
  });

/** A wrong key, and a used up quota. */
const statuses = new Map([
  [403, 401],
  [456, 402],
]);

const failure: Codec['failure'] = (status, body) =>
  readFailure(statuses.get(status) ?? status, body.toString('utf8', 0, 16_384));

/** DeepL's translations, requested as conversations. Source: developers.deepl.com, translate text. */
export const deepl: Provider = { native: {}, codec: { request, answer, events, failure } };
