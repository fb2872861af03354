import { expect, test } from 'vitest';
import type { Posting } from '../../ledger/postings.ts';
import { postAlone } from './post-alone.ts';
import { decodeResults } from '../../ledger/posting-codec.ts';

test('RELAY-07 L4 postings that are done one by one all have the balances after the last, and the faulty ones fail alone', () => {
  const look = (userId: number, tokenId: number): Posting => ({ kind: 'look', userId, tokenId });
  const postings = [look(1, 0), look(2, 7), look(1, 7), look(0, 9), look(1, 0)];
  const refusal = { message: 'CHECK constraint failed', code: 'ERR_SQLITE_ERROR', errcode: 275 };
  let count = 0;
  const { results, errors } = postAlone(postings, (posting) => {
    count += 1;
    if (count === 4) return { error: refusal };
    const balance = { available: count, held: 0, used: 0 };
    const { userId, tokenId } = { userId: 0, tokenId: 0, ...posting };
    return {
      value: {
        outcome: 'done',
        charged: 0,
        unrecovered: 0,
        ...(userId && { user: balance }),
        ...(tokenId && { token: balance }),
      },
    };
  });
  expect(errors).toEqual([{ index: 3, error: refusal }]);
  expect(
    decodeResults(results).map(({ outcome, user, token }) => [outcome, user?.available, token?.available]),
  ).toEqual([
    ['done', 5, undefined],
    ['done', 2, 3],
    ['done', 5, 3],
    ['refused', undefined, undefined],
    ['done', 5, undefined],
  ]);
});
