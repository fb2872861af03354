import { heldPromptTokens } from '../../billing/counting/rough-tokens.ts';
import type { Inbound, StateReference } from '../../dialects/dialect.ts';
import { FailedUpstream } from '../client/relay-error.ts';
import type { Json } from '../../conversation/json.ts';
import { namesKeptContent } from './named-content.ts';
import type { UpstreamStates } from './upstream-states.ts';

/** What an upstream adds to a call because its client named something that the upstream keeps. */
export interface NamedState {
  /** Tokens of the prompt that no byte of the request shows. */
  readonly tokens: number;
  /** Those of them that a count of the request does not have either. */
  readonly uncounted: number;
  /** The channel key that knows it; null: none, or it is not known. */
  readonly channelKey: string | null;
  /** Its size is not known. */
  readonly unknown: boolean;
}

export const noState: NamedState = { tokens: 0, uncounted: 0, channelKey: null, unknown: false };

/** Common models take so many tokens; what is not known may fill them. */
const contextWindow = 131_072;

const notFound = ({ kind, id }: StateReference): FailedUpstream => {
  const shown = id.slice(0, 128);
  const isResponse = kind === 'response';
  const message = isResponse
    ? `Previous response with id '${shown}' not found.`
    : `The ${kind} with id '${shown}' was not found.`;
  const code = isResponse ? 'previous_response_not_found' : `${kind}_not_found`;
  const param = isResponse ? 'previous_response_id' : kind === 'conversation' ? 'conversation' : 'input';
  const error = { message, type: 'invalid_request_error', param, code };
  return new FailedUpstream({ status: isResponse ? 400 : 404, error, retryable: false }, '');
};

/** Where named things are looked up. */
interface Known {
  /** Those that this gateway keeps itself. */
  readonly responseItems: { find(userId: number, id: string): Json | null };
  readonly upstreamStates: UpstreamStates;
}

/** Items that this gateway keeps itself are put into the request, and counted with it. */
const sizeHere = ({ responseItems }: Known, userId: number, { id }: StateReference): number | null => {
  const item = responseItems.find(userId, id);
  return item === null ? null : heldPromptTokens(Buffer.byteLength(JSON.stringify(item)));
};

/**
 * Reads what a request names. Throws in the vendor's form where it belongs to another user: upstream all users share one
 * account.
 */
export const findNamedState = (known: Known, userId: number, inbound: Inbound): NamedState | Promise<NamedState> => {
  const references = inbound.references?.() ?? [];
  const isOther = namesKeptContent(inbound.bytes);
  if (references.length > 0) return findReferences(known, userId, references, isOther);
  return isOther ? { ...noState, tokens: contextWindow, uncounted: contextWindow, unknown: true } : noState;
};

const findReferences = async (
  known: Known,
  userId: number,
  references: readonly StateReference[],
  isOther: boolean,
): Promise<NamedState> => {
  const found = await known.upstreamStates.find(references.map(({ id }) => id));
  const states = new Map(found.map((state) => [state.id, state]));
  const sizes = new Map<string, number>();
  let here = 0;
  let unknown = isOther;
  let channelKey: string | null = null;
  for (const reference of references) {
    const state = states.get(reference.id);
    if (state !== undefined && state.user_id !== userId) throw notFound(reference);
    const own = sizeHere(known, userId, reference);
    if (own !== null) here = Math.max(here, state?.tokens ?? 0) + own;
    else if (state === undefined || state.tokens === null) unknown = true;
    // What came with one answer is counted once.
    else sizes.set(state.origin_id, state.tokens);
    if (own === null) channelKey ??= state?.channel_key ?? null;
  }
  const sum = [...sizes.values()].reduce((total, tokens) => total + tokens, 0);
  const uncounted = sum + (unknown ? contextWindow : 0);
  return { tokens: uncounted + here, uncounted, channelKey, unknown };
};
