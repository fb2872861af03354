import { type Abridged, unabridged } from '../../conversation/abridged.ts';
import { adjust } from '../../conversation/adjust.ts';
import type { ReadFault } from '../../dialects/dialect.ts';
import { refusal } from '../../providers/failure.ts';
import type { ProviderCall, Refusal } from '../../providers/provider.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import type { RelayedCall } from './relayed-call.ts';

/** A channel, and the output tokens that the balance covers there. */
export interface AttemptTarget {
  readonly channel: RoutedChannel;
  /** Per choice; null: no cap is needed. */
  readonly outputCap: number | null;
}

/** The part of a call that providers see. */
export type SentCall = Pick<
  RelayedCall,
  | 'requestId'
  | 'dialect'
  | 'inbound'
  | 'contentType'
  | 'accept'
  | 'headers'
  | 'path'
  | 'query'
  | 'keepItem'
  | 'givenIds'
> & { readonly context: Pick<RelayedCall['context'], 'settings' | 'models'> };

/** A body that has no neutral form. */
const refusedBy = ({ message, code }: ReadFault): Refusal => {
  const { failure } = refusal(message);
  return { kind: 'refusal', failure: { ...failure, error: { ...failure.error, code } } };
};

/** The conversation with what the channel and the balance change in it. */
const conversationFor = (
  { inbound }: SentCall,
  { channel, outputCap }: AttemptTarget,
): ReturnType<ProviderCall['conversation']> => {
  const conversation = inbound.conversation?.() ?? refusal('this endpoint does not take conversations');
  if (!('kind' in conversation)) return adjust(conversation, { systemPrompt: channel.systemPrompt, outputCap });
  return conversation.kind === 'refusal' ? conversation : refusedBy(conversation);
};

/** The same without its longest texts, where the dialect can leave them out. */
const abridgedFor = (
  { inbound }: SentCall,
  { channel, outputCap }: AttemptTarget,
  call: Pick<ProviderCall, 'conversation'>,
): Abridged | Refusal => {
  if (inbound.abridged === undefined) {
    const conversation = call.conversation();
    return 'kind' in conversation ? conversation : unabridged(conversation);
  }
  const abridged = inbound.abridged();
  if ('kind' in abridged) return refusedBy(abridged);
  const { systemPrompt } = channel;
  return { ...abridged, conversation: adjust(abridged.conversation, { systemPrompt, outputCap }) };
};

const embeddingsOf = ({ inbound }: SentCall): ReturnType<ProviderCall['embeddings']> => {
  const embeddings = inbound.embeddings?.() ?? refusal('this endpoint does not return embeddings');
  return 'kind' in embeddings && embeddings.kind === 'fault' ? refusedBy(embeddings) : embeddings;
};

/**
 * A call as the provider of one channel sees it. It adds the channel's model, the cap and the time to the call.
 * @param now Unix milliseconds
 */
export const toProviderCall = (sent: SentCall, target: AttemptTarget, now: number): ProviderCall => {
  const { inbound } = sent;
  const { systemPrompt } = target.channel;
  const model = target.channel.redirect(inbound.model);
  let conversation: ReturnType<ProviderCall['conversation']> | undefined;
  let abridged: Abridged | Refusal | undefined;
  let embeddings: ReturnType<ProviderCall['embeddings']> | undefined;
  const call: ProviderCall = {
    requestId: sent.requestId,
    format: sent.dialect.format,
    path: sent.path,
    query: sent.query,
    contentType: sent.contentType,
    accept: sent.accept,
    headers: sent.headers,
    model,
    requestedModel: inbound.model,
    redirected: model !== inbound.model,
    stream: inbound.stream,
    includeUsage: inbound.includeUsage,
    gateway: sent.context.settings().gateway,
    choices: inbound.choices,
    outputCap: target.outputCap,
    outputMax: () => sent.context.models.outputMax(target.channel.type, model),
    now,
    credential: '',
    keep: sent.keepItem,
    given: (ids) => {
      for (const id of ids) sent.givenIds.add(id);
    },
    body: (changes) => inbound.edit(systemPrompt === '' ? changes : { ...changes, systemPrompt }),
    conversation: () => (conversation ??= conversationFor(sent, target)),
    abridged: () => (abridged ??= abridgedFor(sent, target, call)),
    embeddings: () => (embeddings ??= embeddingsOf(sent)),
  };
  return call;
};
