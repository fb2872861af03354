import { periodsNamed } from '../../ledger/period-names.ts';
import type { Balance, Posting, PostingResult } from '../../ledger/postings.ts';
import type { PlainError } from '../database-error.ts';
import { encodeResults } from '../../ledger/posting-codec.ts';

/** The outcome of each posting of a batch. */
export interface PostingReplies {
  /** Encoded results in the order of the postings; a failed one counts as refused here. */
  readonly results: readonly number[];
  readonly errors: readonly { readonly index: number; readonly error: PlainError }[];
}

/** The outcome of one posting. */
export interface PostedAlone {
  readonly value?: PostingResult | undefined;
  readonly error?: PlainError;
}

const refused: PostingResult = { outcome: 'refused', charged: 0, unrecovered: 0 };

const userOf = (posting: Posting | undefined): number =>
  posting !== undefined && 'userId' in posting ? posting.userId : 0;
const tokenOf = (posting: Posting | undefined): number =>
  posting !== undefined && 'tokenId' in posting ? posting.tokenId : 0;
const periodsOf = (posting: Posting | undefined): readonly number[] =>
  posting !== undefined && 'budgets' in posting ? periodsNamed(posting.budgets).map(({ id }) => id) : [];

/**
 * Does postings one by one, so that only the faulty ones fail. As in a batch, every result has the balances after the
 * last of them: a caller that gets one result later than another must not take an older balance for the present one.
 */
export const postAlone = (postings: readonly Posting[], post: (posting: Posting) => PostedAlone): PostingReplies => {
  const users = new Map<number, Balance>();
  const tokens = new Map<number, Balance>();
  const periods = new Map<number, Balance>();
  const errors: { readonly index: number; readonly error: PlainError }[] = [];
  const outcomes = postings.map((posting, index) => {
    const { value = refused, error } = post(posting);
    if (error !== undefined) errors.push({ index, error });
    if (value.user !== undefined) users.set(userOf(posting), value.user);
    if (value.token !== undefined) tokens.set(tokenOf(posting), value.token);
    for (const [place, id] of periodsOf(posting).entries()) {
      const balance = value.budgets?.[place];
      if (balance !== undefined) periods.set(id, balance);
    }
    return value;
  });
  const results = outcomes.map(({ outcome, charged, unrecovered, ...shown }, index): PostingResult => {
    const user = shown.user && users.get(userOf(postings[index]));
    const token = shown.token && tokens.get(tokenOf(postings[index]));
    const budgets = shown.budgets && periodsOf(postings[index]).map((id) => periods.get(id));
    return {
      outcome,
      charged,
      unrecovered,
      ...(user && { user }),
      ...(token && { token }),
      ...(budgets && { budgets }),
    };
  });
  return { results: encodeResults(results), errors };
};
