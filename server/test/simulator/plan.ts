import { createPrice, type Price } from '../../src/billing/price/price.ts';
import { ratio } from '../../src/billing/price/ratio.ts';
import type { Payer } from '../../src/billing/stored-hold.ts';
import type { Posting } from '../../src/store/ledger/postings.ts';
import type { simulateAccounts } from './simulated-accounts.ts';
import type { StoreKind } from './process.ts';
import type { Random } from './random.ts';
import type { RequestPlan } from './request.ts';
import { poison, type StoreFaults } from './store.ts';

/** Everything that a seed decides before its world begins. */
export interface WorldPlan {
  readonly kind: StoreKind;
  readonly nodes: readonly string[];
  /** How far the clock of each node is ahead, in milliseconds. */
  readonly clocks: readonly number[];
  readonly rows: Parameters<typeof simulateAccounts>[0];
  /** Postings that give the accounts their first balances. */
  readonly opening: readonly Posting[];
  readonly payers: readonly Payer[];
  readonly requests: readonly { readonly at: number; readonly node: number; readonly plan: RequestPlan }[];
  /** Management calls. */
  readonly actions: readonly {
    readonly at: number;
    readonly node: number;
    readonly newsMs: number;
    readonly posting: Posting;
  }[];
  /** Balances that are read anew, as before a refusal. */
  readonly looks: readonly { readonly at: number; readonly node: number; readonly payer: Payer }[];
  readonly crashes: readonly { readonly at: number; readonly node: number; readonly downMs: number }[];
  readonly faults: StoreFaults;
}

/** Two nodes may disagree by hours. */
const clockMaxMs = 3 * 3_600_000;
/** After the last request, whatever kept the database away. */
const restMs = 400_000;

const nothing = { available: 0, held: 0, used: 0 };
const unused = { accessed_time: 0, last_address: '' };
const users = [1, 2] as const;
/** Two limited tokens and an unlimited one. */
const tokens = [
  { id: 1, user_id: 1, unlimited_quota: 0 },
  { id: 2, user_id: 1, unlimited_quota: 1 },
  { id: 3, user_id: 2, unlimited_quota: 0 },
] as const;
const payers: readonly [Payer, ...Payer[]] = [
  { userId: 1, tokenId: 1, tokenLimited: true },
  { userId: 1, tokenId: 2, tokenLimited: false },
  { userId: 1, tokenId: 2, tokenLimited: false, budgets: '1' },
  { userId: 2, tokenId: 3, tokenLimited: true },
  { userId: 2, tokenId: 3, tokenLimited: true, budgets: '~2,1,3' },
];
const periodIds = [1, 2, 3] as const;
const codes = ['code1', 'code2'] as const;

const priceOf = (random: Random): Price =>
  createPrice({
    version: random.whole(1, 9),
    model: ratio(BigInt(random.pick([1, 1, 1, 2, 3, 0])), BigInt(random.pick([1, 1, 2, 3]))),
    completion: ratio(BigInt(random.whole(1, 4)), 1n),
    group: ratio(1n, 1n),
    modelKnown: true,
    groupKnown: true,
  });

const endOf = (random: Random, output: number): RequestPlan['end'] => {
  const kind = random.pick(['completes', 'completes', 'completes', 'completes', 'breaks', 'leaves', 'fails'] as const);
  return kind === 'breaks' || kind === 'leaves' ? { kind, after: random.whole(0, output) } : { kind };
};

const planRequest = (random: Random, index: number): RequestPlan => {
  const promptTokens = random.whole(1, 40);
  const output = random.pick([random.whole(0, 60), random.whole(0, 600), random.whole(0, 2500)]);
  const stream = random.chance(0.6);
  return {
    requestId: `r${index}`,
    payer: random.pick(payers),
    stream,
    // Not drawn: that would make another world of every seed.
    defers: index % 2 === 1,
    price: priceOf(random),
    otherPrice: random.chance(0.25) ? priceOf(random) : null,
    promptTokens,
    estimatedPrompt: promptTokens + random.whole(0, promptTokens),
    outputLimit: random.chance(0.5) ? random.whole(1, 800) : null,
    output,
    chunkTokens: Math.max(1, Math.ceil(output / random.whole(2, 12))),
    chunkMs: random.pick([1, 30, 400, 900]),
    firstByteMs: random.pick([0.5, 5, 30, 300]),
    end: endOf(random, output),
    exaggeration: random.chance(0.06) ? random.whole(2, 30) : 1,
  };
};

/** Requests come in bursts, so that many meet. */
const timeOf = (random: Random, spanMs: number, bursts: readonly [number, ...number[]]): number =>
  random.chance(0.6) ? random.pick(bursts) + random.next() * 8 : random.next() * spanMs;

const actionOf = (random: Random, index: number): Posting => {
  const userId = random.pick(users);
  const at = 0;
  const amount = random.whole(-200, 900);
  // A call that is repeated by the one who got no answer.
  const opKey = `${random.chance(0.4) ? poison : 'action'}${random.chance(0.2) ? 0 : index}`;
  const credit: Posting = {
    kind: 'credit',
    opKey,
    entry: 'adjust',
    userId,
    amount,
    actorId: 1,
    reason: '',
    at,
    log: null,
  };
  const token = random.pick(tokens);
  const options: { readonly remain?: number; readonly total?: number } = random.pick([
    { remain: random.whole(0, 2000) },
    { total: random.whole(0, 4000) },
    {},
  ]);
  const allocate: Posting = {
    kind: 'allocate',
    opKey: `allocate${index}`,
    tokenId: token.id,
    userId: token.user_id,
    ...options,
    unlimited: token.unlimited_quota === 1,
    actorId: 1,
    at,
  };
  const redeem: Posting = { kind: 'redeem', keyDigest: random.pick(codes), userId, at, log: null };
  return random.pick([credit, allocate, redeem]);
};

const openingOf = (random: Random): Posting[] => [
  ...users.map((userId): Posting => {
    const amount = random.pick([random.whole(0, 800), random.whole(500, 4000), 50_000]);
    return {
      kind: 'credit',
      opKey: `grant${userId}`,
      entry: 'grant',
      userId,
      amount,
      actorId: 0,
      reason: '',
      at: 0,
      log: null,
    };
  }),
  ...tokens.map(({ id, user_id, unlimited_quota }): Posting => ({
    kind: 'allocate',
    opKey: `first${id}`,
    tokenId: id,
    userId: user_id,
    total: random.pick([random.whole(0, 1000), 20_000]),
    unlimited: unlimited_quota === 1,
    actorId: 0,
    at: 0,
  })),
];

const faultsOf = (random: Random, spanMs: number, bursts: readonly [number, ...number[]]): StoreFaults => {
  if (random.chance(0.3)) return { undone: 0, lost: 0, outages: [], locks: [], failOvers: [] };
  const from = random.next() * spanMs;
  const until = from + random.pick([200, 1500, 3000, 20_000, 150_000]);
  return {
    undone: random.pick([0, 0.05, 0.3]),
    lost: random.pick([0, 0.05, 0.3]),
    outages: random.chance(0.3) ? [{ from, until }] : [],
    failOvers: random.chance(0.4)
      ? [0, 1].map(() => ({ at: 10 + timeOf(random, spanMs, bursts), answered: random.pick([0, 0, 3]) }))
      : [],
    locks: random.chance(0.3) ? [{ userId: random.pick(users), from, until }] : [],
  };
};

export const planWorld = (random: Random, kind: StoreKind): WorldPlan => {
  const spanMs = random.pick([50, 2000, 10_000]);
  const nodes = kind === 'postgres' ? random.pick([['left', 'right'], ['left', 'right'], ['left']]) : ['main'];
  const nodeOf = () => random.whole(0, nodes.length - 1);
  const many = <Value>(count: number, make: (index: number) => Value) =>
    Array.from({ length: count }, (_, index) => make(index));
  const bursts: readonly [number, ...number[]] = [
    random.next() * spanMs,
    random.next() * spanMs,
    random.next() * spanMs,
  ];
  const early = random.whole(0, 6);
  const actions = many(early + random.whole(0, 2), (index) => ({
    // The last ones meet nothing but a look, whose balance then stays in memory.
    at: index < early ? 10 + timeOf(random, spanMs, bursts) : spanMs + restMs + random.next() * 8,
    node: nodeOf(),
    newsMs: random.next() * 20,
    posting: actionOf(random, index),
  }));
  return {
    kind,
    nodes,
    rows: {
      periods: periodIds.map((id) => ({ id, granted: random.pick([random.whole(0, 1500), 20_000]), held: 0, used: 0 })),
      users: users.map((id) => ({ id, ...nothing, request_count: 0 })),
      tokens: tokens.map((token) => ({ ...token, ...nothing, ...unused, status: 1 })),
      codes: codes.map((key_digest, index) => ({ id: index + 1, key_digest, status: 1, quota: 300, deleted_time: 0 })),
    },
    opening: openingOf(random),
    payers,
    requests: many(random.whole(3, 14), (index) => ({
      at: 10 + timeOf(random, spanMs, bursts),
      node: nodeOf(),
      plan: planRequest(random, index),
    })),
    actions,
    looks: actions.map(({ at }) => ({
      at: Math.max(0, at + random.next() * 8 - 6),
      node: nodeOf(),
      payer: random.pick(payers),
    })),
    crashes: many(random.pick([0, 0, 1, 2]), () => ({
      at: 10 + timeOf(random, spanMs, bursts),
      node: nodeOf(),
      downMs: random.next() * 500,
    })),
    faults: faultsOf(random, spanMs, bursts),
    clocks: nodes.map(() => random.whole(0, clockMaxMs)),
  };
};
