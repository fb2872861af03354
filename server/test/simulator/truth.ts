import type { Balance, Posting, PostingResult, SettlePosting } from '../../src/store/ledger/postings.ts';
import type { SimulatedAccounts } from './simulated-accounts.ts';
import type { RequestRecord, Observations } from './observations.ts';

/** A request that has not been admitted or refused yet. */
export interface WatchedRequest {
  /** What is wrong with refusing it for the lack of so many quota units; empty: at some moment they were lacking. */
  judgeRefusal(needed: number): readonly string[];
  end(): void;
}

/** What really was free at every moment: no request may be refused that could have been paid all the time. */
export interface Truth {
  /** Called between any two events. */
  observe(): void;
  watch(record: RequestRecord): WatchedRequest;
  /** A credit was committed and is not answered yet: until then a refusal need not include it. */
  commit(postings: readonly Posting[], results: readonly PostingResult[]): void;
  announce(posting: Posting): void;
  /** The returned function takes back what commits told since. */
  mark(): () => void;
  /** What charges did that they may not, once nothing runs. */
  faults(): readonly string[];
}

interface Waiting {
  readonly record: RequestRecord;
  least: number;
}

/** Money that came in for an account. */
interface Raise {
  readonly userId: number;
  /** 0: the account's own; else the allocation of a token. */
  readonly tokenId: number;
  readonly amount: number;
}

const asideOf = ({ over, ending, aside }: RequestRecord): number => (over && ending === 0 ? 0 : aside());

const nameOf = (posting: Posting): string => {
  if (posting.kind === 'redeem') return `redeem ${posting.keyDigest} ${posting.userId}`;
  return 'opKey' in posting ? posting.opKey : '';
};

const raiseOf = (storedAccounts: SimulatedAccounts, posting: Posting, { charged }: PostingResult): Raise | null => {
  if (posting.kind === 'credit' || posting.kind === 'redeem')
    return { userId: posting.userId, tokenId: 0, amount: charged };
  if (posting.kind !== 'allocate') return null;
  const entry = storedAccounts.ledger.findLast(({ op_key }) => op_key === posting.opKey);
  return { userId: posting.userId, tokenId: posting.tokenId, amount: entry?.amount ?? 0 };
};

export const createTruth = (
  storedAccounts: SimulatedAccounts,
  { requests, mark: markAnswers, arePromisesBroken }: Observations,
): Truth => {
  const waiting = new Set<Waiting>();
  const faults: string[] = [];
  /** By user: what was taken from under its requests, and what honest ones could not pay. */
  const taken = new Map<number, number>();
  const shortOf = new Map<number, number>();
  const addTo = (sums: Map<number, number>) => (userId: number, amount: number) =>
    void sums.set(userId, (sums.get(userId) ?? 0) + amount);
  const take = addTo(taken);
  const short = addTo(shortOf);
  const unannounced = new Map<string, Raise>();
  const lowered = new Map<string, Raise>();
  /** Charges beyond their hold take what others have in memory alone, until their processes know of it. */
  const overdrawing = new Set<RequestRecord>();
  const unknownCredit = (concerns: (raise: Raise) => boolean): number =>
    [...unannounced.values()].filter(concerns).reduce((sum, { amount }) => sum + amount, 0);
  /**
   * What is durable stays held; what a process has in memory alone can be taken from under it: of an account for good,
   * of a token its account pays instead.
   */
  const lower = ({ userId, tokenId }: Pick<Raise, 'userId' | 'tokenId'>) => {
    for (const record of requests.values()) {
      const concerned = tokenId === 0 ? record.userId === userId : record.limitedTokenId === tokenId;
      if (!concerned || asideOf(record) <= (storedAccounts.holds.get(record.requestId)?.amount ?? 0)) continue;
      if (tokenId === 0) record.mayFallShort = true;
      else record.mayOverdraw = true;
    }
  };

  /** What an account has, less what living requests set aside, whether the database knows it yet or not. */
  const freeOf = (account: Balance | undefined, concerns: (request: RequestRecord) => boolean): number => {
    let free = account?.available ?? 0;
    for (const request of requests.values()) {
      if (!concerns(request) || !request.isAlive()) continue;
      const aside = asideOf(request);
      if (aside > 0) free += (storedAccounts.holds.get(request.requestId)?.amount ?? 0) - aside - request.unsure();
    }
    return free;
  };
  /**
   * Users are read behind their postings, budgets are not where a user's row is locked elsewhere: a hold whose answer was
   * lost may be in the budget as it was read and in memory, until the answer comes. That refuses; it gives nothing away.
   */
  const heldTwice = (concerns: (request: RequestRecord) => boolean): number =>
    [...requests.values()]
      .filter((request) => concerns(request) && request.pending > 0)
      .reduce((sum, { requestId }) => sum + (storedAccounts.holds.get(requestId)?.amount ?? 0), 0);
  const ofBudgets = ({ periods }: RequestRecord): number => {
    const free = periods
      .filter(({ isHard }) => isHard)
      .map(({ id }) => {
        const { granted = 0, held = 0, used = 0 } = storedAccounts.periods.get(id) ?? {};
        const balance = { available: granted - held - used, held, used };
        const names = (other: RequestRecord) => other.periods.some((named) => named.id === id);
        return freeOf(balance, names) - heldTwice(names);
      });
    return Math.min(...free, Infinity);
  };
  const freeFor = (record: RequestRecord): number => {
    const { userId, limitedTokenId } = record;
    const user = Math.min(
      ofBudgets(record),
      freeOf(storedAccounts.users.get(userId), (other) => other.userId === userId) -
        unknownCredit((raise) => raise.tokenId === 0 && raise.userId === userId),
    );
    if (limitedTokenId === 0) return user;
    const ofToken = (other: RequestRecord) => other.limitedTokenId === limitedTokenId;
    const token =
      freeOf(storedAccounts.tokens.get(limitedTokenId), ofToken) -
      unknownCredit((raise) => raise.tokenId === limitedTokenId);
    return Math.min(user, token);
  };
  const look = (one: Waiting) => {
    one.least = Math.min(one.least, freeFor(one.record));
  };
  /** A charge above the amount held takes from what others hold; only what no account has is left uncollected. */
  const judgeCharge = (posting: SettlePosting, { charged, unrecovered }: PostingResult, alone: boolean) => {
    const payer = requests.get(posting.requestId);
    const beyond = posting.amount - (payer?.aside() ?? 0);
    if (payer?.exaggerates === true && beyond > 0) {
      overdrawing.add(payer);
      take(posting.userId, beyond);
    }
    if (payer?.exaggerates === false && unrecovered > 0) short(posting.userId, unrecovered);
    const left = storedAccounts.users.get(posting.userId)?.available ?? 0;
    // Behind it in the same batch others may have given something back.
    if (alone && unrecovered > 0 && left > 0)
      faults.push(`L8 ${posting.requestId}: ${unrecovered} beside ${charged} left uncollected though they were there`);
  };
  return {
    commit: (postings, results) => {
      for (const [index, posting] of postings.entries()) {
        const result = results[index];
        if (posting.kind === 'settle' && result?.outcome === 'done')
          judgeCharge(posting, result, postings.length === 1);
        const raise = result?.outcome === 'done' ? raiseOf(storedAccounts, posting, result) : null;
        if (raise !== null && raise.amount >= 0) unannounced.set(nameOf(posting), raise);
        if (raise !== null && raise.amount < 0) {
          lowered.set(nameOf(posting), raise);
          lower(raise);
          if (raise.tokenId === 0) take(raise.userId, -raise.amount);
        }
      }
    },
    mark: () => {
      const maps = [taken, shortOf, unannounced, lowered];
      const before = maps.map((map) => [...map]);
      const known = faults.length;
      const forgetAnswers = markAnswers();
      return () => {
        forgetAnswers();
        for (const [index, map] of maps.entries()) {
          map.clear();
          for (const [key, value] of before[index] ?? []) Reflect.apply(map.set, map, [key, value]);
        }
        faults.length = known;
      };
    },
    announce: (posting) => {
      unannounced.delete(nameOf(posting));
      // The one who was admitted before the news could not know.
      const raise = lowered.get(nameOf(posting));
      if (raise !== undefined) lower(raise);
    },
    faults: () => [
      ...faults,
      ...[...shortOf]
        .filter(([userId, amount]) => amount > (taken.get(userId) ?? 0) && !arePromisesBroken())
        .map(
          ([userId, amount]) =>
            `L8 user ${userId}: honest requests lack ${amount}, taken were ${taken.get(userId) ?? 0}`,
        ),
    ],
    observe: () => {
      for (const payer of overdrawing) {
        const { userId, limitedTokenId, over } = payer;
        for (const tokenId of [0, limitedTokenId]) lower({ userId, tokenId });
        if (over) overdrawing.delete(payer);
      }
      for (const one of waiting) look(one);
    },
    watch: (record) => {
      const one: Waiting = { record, least: Infinity };
      waiting.add(one);
      look(one);
      const end = () => void waiting.delete(one);
      return {
        judgeRefusal: (needed) => {
          look(one);
          end();
          if (one.least < needed) return [];
          return [`G2 ${record.requestId} was refused for ${needed} while at least ${one.least} were free`];
        },
        end,
      };
    },
  };
};
