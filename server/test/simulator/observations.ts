import type { NamedPeriod } from '../../src/store/ledger/period-names.ts';
import type { Posting, PostingResult } from '../../src/store/ledger/postings.ts';

/** What the outside knows of one request: its client and its upstream. */
export interface RequestRecord {
  readonly requestId: string;
  readonly userId: number;
  /** 0: a token without an allocation of its own. */
  readonly limitedTokenId: number;
  /** Periods of budgets that it counts against. */
  readonly periods: readonly NamedPeriod[];
  /** What the answer costs that the client has in whole; undefined: it has none. */
  owed: number | undefined;
  /** The most that could rightly be charged by now: what was delivered, or what the upstream reported. */
  most: number;
  /** What is set aside for it in a living process, until its end is known to be durable. */
  aside: () => number;
  /** Of it, extensions that failed: whether they are durable is not known, so that memory may count them twice until the end. */
  unsure: () => number;
  over: boolean;
  /** Postings that end it and are on their way. */
  ending: number;
  /** Postings of any kind that are on their way. */
  pending: number;
  /** The process that serves it. */
  isAlive: () => boolean;
  /** Its upstream claims more than what it put out. */
  readonly exaggerates: boolean;
  /** Its upstream claims more than the limit it was sent, or an operator took away what it had set aside in memory. */
  mayFallShort: boolean;
  /** The same of a limited token: then its account pays what the token has not. */
  mayOverdraw: boolean;
}

/** What a user was answered about a movement that is no request: a promise that it is durable. */
export interface PromisedCredit {
  readonly opKey: string;
  readonly amount: number;
}

/** What was promised to the outside, against which the ledger is held. */
export const createObservations = () => {
  let promisesBroken = false;
  const requests = new Map<string, RequestRecord>();
  const credits: PromisedCredit[] = [];
  const redeemed: string[] = [];
  const settled = new Map<string, number>();
  const progressed = new Map<string, number>();
  return {
    requests,
    credits,
    redeemed,
    settled,
    progressed,
    /** A fail-over lost commits that had been answered: then the operator was warned, and the books agree all the same. */
    arePromisesBroken: () => promisesBroken,
    breakPromises: () => void (promisesBroken = true),
    /** The returned function forgets what was answered since. */
    mark: (): (() => void) => {
      const owed = [...requests.values()].map((record) => [record, record.owed] as const);
      const maps = [settled, progressed];
      const before = maps.map((map) => [...map]);
      const counts = [credits.length, redeemed.length] as const;
      return () => {
        for (const record of requests.values()) record.owed = undefined;
        for (const [record, amount] of owed) record.owed = amount;
        for (const [index, map] of maps.entries()) {
          map.clear();
          for (const [key, amount] of before[index] ?? []) map.set(key, amount);
        }
        [credits.length, redeemed.length] = counts;
      };
    },
    /** The result says that the posting was answered, with whatever. */
    notePending: (posting: Posting): (() => void) => {
      const record = 'requestId' in posting ? requests.get(posting.requestId) : undefined;
      if (record === undefined) return () => undefined;
      const ends = posting.kind === 'release' || posting.kind === 'settle' ? 1 : 0;
      record.pending += 1;
      record.ending += ends;
      return () => {
        record.pending -= 1;
        record.ending -= ends;
      };
    },
    /** A user got the answer that this posting is durable. */
    hear: (posting: Posting, result: PostingResult) => {
      if (posting.kind === 'settle' && result.outcome !== 'refused') settled.set(posting.requestId, result.charged);
      if (posting.kind === 'progress' && result.outcome === 'done')
        progressed.set(posting.requestId, Math.max(posting.progress, progressed.get(posting.requestId) ?? 0));
      if (posting.kind === 'credit' && result.outcome !== 'refused')
        credits.push({ opKey: posting.opKey, amount: result.charged });
      if (posting.kind === 'redeem' && result.outcome === 'done') redeemed.push(posting.keyDigest);
    },
  };
};
export type Observations = ReturnType<typeof createObservations>;
