import type { Answer, StreamEvent } from '../../conversation/answer.ts';
import { type Conversation, forcesTool } from '../../conversation/conversation.ts';
import { type Json, objectsAt, textAt } from '../../conversation/json.ts';
import { isMoreThanText, joinTexts } from '../../conversation/text.ts';
import { badBody, readFailure, refusal } from '../failure.ts';
import { jsonBody, jsonEvents, type JsonEvents } from '../json-events.ts';
import type {
  ChannelFault,
  Codec,
  Provider,
  ProviderChannel,
  ReadStep,
  Refusal,
  ProviderCall,
  RelayFailure,
  UpstreamRequest,
} from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

const request = (
  { turns, toolChoice }: Conversation,
  call: ProviderCall,
  channel: ProviderChannel,
): UpstreamRequest | ChannelFault | Refusal => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  if (usable.other === '') return { kind: 'fault', message: 'the channel has no knowledge base ID' };
  if (forcesTool(toolChoice)) return refusal('this channel has no tools', 'tool_choice');
  // The result of a tool answers a question: the question itself is the user's.
  const last = turns.at(-1)?.role === 'tool' ? turns.findLast(({ role }) => role === 'user') : turns.at(-1);
  if (last !== undefined && isMoreThanText(last)) return refusal('this channel takes text only');
  const query = last === undefined || last.role === 'assistant' ? '' : joinTexts(last.parts, '\n');
  if (query === '') return refusal('this channel needs a user message');
  return {
    origin: usable.base.origin,
    path: `${usable.base.path}/api/library/ask`,
    method: 'POST',
    headers: ['content-type', 'application/json', 'authorization', `Bearer ${usable.key}`],
    body: Buffer.from(JSON.stringify({ model: call.model, query, libraryId: usable.other, stream: call.stream })),
  };
};

const aboutKey = /key|token|auth|401/i;

const statusOf = (message: string): number => (/limit|frequent|429/i.test(message) ? 429 : 502);

/** `{success: false, message, errCode}` with status 200. */
const failureIn = (body: Json): RelayFailure | null => {
  const { success, errCode } = body;
  if (success !== false && (typeof errCode !== 'number' || errCode === 0)) return null;
  const message = textAt(body, 'message');
  const text = JSON.stringify({ error: { message, code: errCode ?? undefined } });
  const words = aboutKey.exec(message)?.[0] ?? null;
  return words === null ? readFailure(statusOf(message), text) : readFailure(401, text, words);
};

/** The sources of the answer, as a list of links after it. */
const references = (body: Json): string => {
  const documents = objectsAt(body, 'documents');
  if (documents.length === 0) return '';
  const links = documents.map((found, index) => `${index + 1}. [${textAt(found, 'title')}](${textAt(found, 'url')})`);
  return `\n\nReferences:\n\n${links.join('\n')}`;
};

const answer = (body: Buffer): Answer | Refusal => {
  const read = jsonBody(body, failureIn);
  if (read.kind === 'refusal') return read;
  const { members } = read;
  if (typeof members['answer'] !== 'string')
    return { kind: 'refusal', failure: badBody('the upstream response has no answer') };
  const text = members['answer'] + references(members);
  return { id: '', parts: [{ kind: 'text', text }], finish: 'stop', usage: null };
};

/** Stateful: one answer, from its first piece to the one marked as last. */
class PieceReader implements JsonEvents {
  readonly failureIn = failureIn;
  private started = false;

  finished(): boolean {
    return false;
  }

  read(piece: Json): ReadStep {
    const events: StreamEvent[] = this.started ? [] : [{ kind: 'start', id: '' }];
    this.started = true;
    const isLast = piece['finish'] === true;
    const text = textAt(piece, 'content') + (isLast ? references(piece) : '');
    if (text !== '') events.push({ kind: 'text', text });
    return isLast ? { events: [...events, { kind: 'finish', finish: 'stop' }], done: true } : { events };
  }
}

const codec: Codec = {
  request,
  answer,
  events: () => jsonEvents(new PieceReader()),
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
};

/** AI Proxy's knowledge bases. They report no usage, so the gateway counts tokens. */
export const aiProxyLibrary: Provider = { native: {}, codec };
