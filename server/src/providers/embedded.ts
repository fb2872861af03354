import type { Embedded } from '../conversation/embeddings.ts';
import type { Json } from '../conversation/json.ts';
import type { Usage } from '../conversation/usage.ts';
import { badBody } from './failure.ts';
import type { Refusal } from './provider.ts';

/** The vectors of an answer; a refusal when it has none. */
export const embedded = (vectors: Embedded['vectors'] | null, usage: Usage | null): Embedded | Refusal =>
  vectors === null || vectors.length === 0
    ? { kind: 'refusal', failure: badBody('the upstream response has no embeddings') }
    : { vectors, usage };

/** Usage of a vendor that reports one number: embeddings have no output tokens. */
export const promptOnly = (tokens: unknown): Usage | null =>
  tokens === undefined || tokens === null ? null : { prompt: tokens, completion: 0, total: tokens };

/** The items sorted by the index in a member; in their original order when the member is missing. */
export const inOrder = (items: readonly Json[], member: string): readonly Json[] =>
  items.toSorted((a, b) => Number(a[member] ?? 0) - Number(b[member] ?? 0));
