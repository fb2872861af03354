import type { Embedded } from '../../conversation/embeddings.ts';
import type { EmbeddingsWriter } from '../../dialects/dialect.ts';
import { badBody } from '../../providers/failure.ts';
import { noStream } from '../../providers/no-stream.ts';
import type { ClientResponse, Embedder, ProviderCall, Refusal, Translation } from '../../providers/provider.ts';

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** The vectors of several answers as one. Usage is told only where every part told its own. */
const joined = (parts: readonly Embedded[]): Embedded => {
  const prompts = parts.map(({ usage }) => usage?.prompt);
  const prompt = prompts.every(isCount) ? prompts.reduce((sum, tokens) => sum + tokens, 0) : null;
  return {
    vectors: parts.flatMap(({ vectors }) => vectors),
    usage: prompt === null ? null : { prompt, completion: 0, total: prompt },
  };
};

/** Embeddings asked for in one dialect, made by a vendor of another. */
export const embed = (write: EmbeddingsWriter, embedder: Embedder): Translation => {
  const written = (embedded: Embedded, call: ProviderCall): ClientResponse => {
    const asked = call.embeddings();
    if ('kind' in asked) return { kind: 'failure', failure: asked.failure };
    if (embedded.vectors.length !== asked.texts.length)
      return { kind: 'failure', failure: badBody('the upstream returned the wrong number of embeddings') };
    const body = write(embedded, asked, call.requestedModel);
    return { kind: 'answer', body, contentType: 'application/json', usage: embedded.usage, output: () => '' };
  };
  const isRead = (read: Embedded | Refusal): read is Embedded => !('kind' in read);
  return {
    ...(embedder.prerequisites && { prerequisites: embedder.prerequisites }),
    batches: {
      split: (call) => {
        const asked = call.embeddings();
        if ('kind' in asked) return [call];
        const most = embedder.textsMax(call.model);
        return Array.from({ length: Math.ceil(asked.texts.length / most) }, (_, part) => {
          const texts = asked.texts.slice(part * most, (part + 1) * most);
          return { ...call, embeddings: () => ({ ...asked, texts }) };
        });
      },
      join: (bodies, call) => written(joined(bodies.map((body) => embedder.answer(body)).filter(isRead)), call),
    },
    request: (call, channel) => {
      const asked = call.embeddings();
      return 'kind' in asked ? asked : embedder.request(asked, call, channel);
    },
    response: (body, call) => {
      const read = embedder.answer(body);
      return isRead(read) ? written(read, call) : { kind: 'failure', failure: read.failure };
    },
    stream: noStream,
    failure: (status, body) => embedder.failure(status, body),
  };
};
