import { unabridged } from '../../src/conversation/abridged.ts';
import { refusal } from '../../src/providers/failure.ts';
import type { ProviderCall } from '../../src/providers/provider.ts';

/** A chat completion as a provider gets it; the argument overrides members. */
export const providerCall = (values: Partial<ProviderCall> = {}): ProviderCall => {
  const model = values.model ?? 'some-model';
  const call: ProviderCall = {
    requestId: '2026112100000000000000000',
    format: 'openai-chat',
    path: '/v1/chat/completions',
    query: '',
    contentType: '',
    accept: '',
    headers: {},
    model,
    requestedModel: model,
    redirected: false,
    stream: false,
    includeUsage: false,
    gateway: { name: 'Weir', address: '' },
    choices: 1,
    outputCap: null,
    now: 1_790_000_000_000,
    credential: '',
    body: () => Buffer.from('{}'),
    conversation: () => refusal('this call is no conversation'),
    abridged: () => {
      const conversation = call.conversation();
      return 'kind' in conversation ? conversation : unabridged(conversation);
    },
    embeddings: () => refusal('this call makes no embeddings'),
    ...values,
  };
  return call;
};
