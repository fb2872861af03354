import { expect, test } from 'vitest';
import { type Needs, needsOf } from './accounts-state.ts';
import type { HoldPosting, Posting, SettlePosting } from './postings.ts';

const request = { requestId: 'r', userId: 5, tokenId: 7, tokenLimited: true };
const at = 1_700_000_000;
const settle: SettlePosting = {
  ...request,
  kind: 'settle',
  channelId: 3,
  amount: 1,
  priceVersion: 1,
  estimated: false,
  at,
  log: null,
};
const hold: HoldPosting = {
  ...request,
  kind: 'hold',
  channelId: 3,
  amount: 1,
  priceVersion: 1,
  modelName: 'm',
  openedAt: at,
};
const credit = { entry: 'grant', userId: 5, amount: 1, actorId: 1, reason: '', at, log: null } as const;

/** Lists and sets that are not empty. */
const needed = (posting: Posting): Record<string, unknown> => {
  const needs: Readonly<Record<keyof Needs, Iterable<number | string>>> = needsOf([posting]);
  const lists = Object.entries(needs).map(([name, values]): [string, unknown[]] => [name, Array.from(values)]);
  return Object.fromEntries(lists.filter(([, values]) => values.length > 0));
};

interface Case {
  readonly name: string;
  readonly posting: Posting;
  readonly needs: Readonly<Record<string, unknown>>;
}

const ofRequest = { users: [5], tokens: [7], holds: ['r'] };
const useKeys = ['use:r', 'use:r:rest'];

test.each<Case>([
  { name: 'a hold', posting: hold, needs: { ...ofRequest, heldKeys: ['use:r'] } },
  {
    name: 'a hold of no key',
    posting: { ...hold, tokenId: 0 },
    needs: { users: [5], holds: ['r'], heldKeys: ['use:r'] },
  },
  {
    name: 'a hold with budgets',
    posting: { ...hold, budgets: '12,~15' },
    needs: { ...ofRequest, periods: [12, 15], heldKeys: ['use:r'] },
  },
  { name: 'a larger hold', posting: { ...request, kind: 'extend', amount: 2 }, needs: ofRequest },
  { name: 'a checkpoint', posting: { kind: 'progress', requestId: 'r', progress: 1 }, needs: { holds: ['r'] } },
  {
    name: 'the charge of a held request',
    posting: settle,
    needs: { ...ofRequest, endedHolds: ['r'], opKeys: useKeys },
  },
  {
    name: 'a charge without a hold and a channel',
    posting: { ...settle, unheld: true, channelId: 0 },
    needs: { users: [5], tokens: [7], opKeys: useKeys },
  },
  { name: 'a release', posting: { ...request, kind: 'release' }, needs: { ...ofRequest, endedHolds: ['r'] } },
  { name: 'a credit', posting: { ...credit, kind: 'credit', opKey: 'k' }, needs: { users: [5], opKeys: ['k'] } },
  {
    name: 'an allocation',
    posting: { kind: 'allocate', opKey: 'k', tokenId: 7, userId: 5, total: 1, unlimited: false, actorId: 1, at },
    needs: { users: [5], tokens: [7], allocations: [7], opKeys: ['k'] },
  },
  {
    name: 'a redemption',
    posting: { kind: 'redeem', keyDigest: 'd', userId: 5, at, log: null },
    needs: { users: [5], codes: ['d'] },
  },
  { name: 'a look', posting: { kind: 'look', userId: 5, tokenId: 7 }, needs: { users: [5], tokens: [7] } },
  { name: 'a look at no account', posting: { kind: 'look', userId: 0, tokenId: 0 }, needs: {} },
])('a batch reads for $name what it needs, and no more', ({ posting, needs }) => {
  expect(needed(posting)).toEqual(needs);
});
