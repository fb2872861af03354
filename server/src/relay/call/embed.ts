import type { Embedded } from '../../conversation/embeddings.ts';
import type { EmbeddingsWriter } from '../../dialects/dialect.ts';
import { badBody } from '../../providers/failure.ts';
import { noStream } from '../../providers/no-stream.ts';
import type { ClientResponse, Embedder, ProviderCall, Refusal, Translation } from '../../providers/provider.ts';

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** The vectors of several answers as one. Usage is known only where every part reports its own. */
const joined = (parts: readonly Embedded[]): Embedded => {
  const prompts = parts.map(({ usage }) => usage?.prompt);
  const prompt = prompts.every(isCount) ? prompts.reduce((sum, tokens) => sum + tokens, 0) : null;
  return {
    vectors: parts.flatMap(({ vectors }) => vectors),
    usage: prompt === null ? null : { prompt, completion: 0, total: prompt },
  };
};

/** Embeddings requested in one dialect, made by a vendor of another. */
export const embed = (write: EmbeddingsWriter, embedder: Embedder): Translation => {
  const written = (embedded: Embedded, call: ProviderCall): ClientResponse => {
    const requested = call.embeddings();
    if ('kind' in requested) return { kind: 'failure', failure: requested.failure };
    if (embedded.vectors.length !== requested.texts.length)
      return {
        kind: 'failure',
        failure: badBody('the upstream returned the wrong number of embeddings'),
      };
    const body = write(embedded, requested, call.requestedModel);
    return { kind: 'answer', body, contentType: 'application/json', usage: embedded.usage, output: () => '' };
  };
  const isRead = (read: Embedded | Refusal): read is Embedded => !('kind' in read);
  return {
    ...(embedder.prerequisites && { prerequisites: embedder.prerequisites }),
    batches: {
      split: (call) => {
        const requested = call.embeddings();
        if ('kind' in requested) return [call];
        const most = embedder.textsMax(call.model);
        return Array.from({ length: Math.ceil(requested.texts.length / most) }, (_, part) => {
          const texts = requested.texts.slice(part * most, (part + 1) * most);
          return { ...call, embeddings: () => ({ ...requested, texts }) };
        });
      },
      join: (bodies, call) => written(joined(bodies.map((body) => embedder.answer(body)).filter(isRead)), call),
    },
    request: (call, channel) => {
      const requested = call.embeddings();
      return 'kind' in requested ? requested : embedder.request(requested, call, channel);
    },
    response: (body, call) => {
      const read = embedder.answer(body);
      return isRead(read) ? written(read, call) : { kind: 'failure', failure: read.failure };
    },
    stream: noStream,
    failure: (status, body) => embedder.failure(status, body),
  };
};
