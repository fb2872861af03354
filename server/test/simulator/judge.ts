import { overdraftKey, useKey } from '../../src/store/ledger/accounts-state.ts';
import type { Payer } from '../../src/billing/stored-hold.ts';
import { periodsNamed } from '../../src/store/ledger/period-names.ts';
import type { NewEntry } from '../../src/store/ledger/accounts-state.ts';
import { brokenInvariants } from './simulated-accounts.ts';
import type { WorldPlan } from './plan.ts';
import type { SimulatedProcess } from './process.ts';
import type { SimulatedStore } from './store.ts';
import type { RequestRecord, Observations } from './observations.ts';

interface Judged {
  readonly plan: WorldPlan;
  readonly store: SimulatedStore;
  readonly observations: Observations;
  readonly processes: readonly (SimulatedProcess | undefined)[];
  /** `rest`: nothing runs any more; `end`: every node was started once more after that. */
  readonly when: 'rest' | 'end';
}

interface Entries {
  readonly use: NewEntry | undefined;
  /** What the token was charged beyond its quota. */
  readonly overdraft: NewEntry | undefined;
}

const judgeRequest = (
  record: RequestRecord,
  { use, overdraft }: Entries,
  { observations: { settled, progressed, arePromisesBroken }, when }: Judged,
): string[] => {
  const { requestId, owed, most, mayFallShort, mayOverdraw } = record;
  const faults: string[] = [];
  const say = (rule: string, text: string) => faults.push(`${rule} ${requestId}: ${text}`);
  const total = use === undefined ? 0 : use.amount + use.unrecovered;
  if (owed !== undefined && total !== owed) say('L6', `a whole answer of ${owed} was charged ${total}`);
  if (total > most) say('L7', `charged ${total}, delivered and reported were ${most}`);
  const mayLack = arePromisesBroken();
  if (use !== undefined && use.unrecovered > 0 && !mayFallShort && !mayLack)
    say('L8', `${use.unrecovered} could not be collected`);
  if (overdraft !== undefined && !mayOverdraw && !mayLack)
    say('L8', `its token was charged ${overdraft.amount} too much`);
  const promised = settled.get(requestId);
  if (promised !== undefined && use?.amount !== promised)
    say('L10', `answered with a charge of ${promised}, the ledger has ${use?.amount}`);
  const checkpoint = progressed.get(requestId) ?? 0;
  if (when === 'end' && checkpoint > total)
    say('L6', `a checkpoint of ${checkpoint} was durable, ${total} was charged`);
  return faults;
};

/** What is in memory must be what is durable, once nothing runs; of several nodes each knows its own postings alone. */
const judgeMirrors = (judged: Judged): string[] => (judged.plan.nodes.length > 1 ? [] : judgeReserved(judged));

/** What the hard budgets of a payer have left. */
const budgetOf = ({ budgets }: Payer, { storedAccounts }: SimulatedStore): number => {
  const left = periodsNamed(budgets)
    .filter(({ isHard }) => isHard)
    .map(({ id }) => {
      const { granted = 0, held = 0, used = 0 } = storedAccounts.periods.get(id) ?? {};
      return Math.max(0, granted - held - used);
    });
  return Math.min(...left, Infinity);
};

/** A budget is exceeded by nothing but calls whose upstream reported more than it was allowed. */
const judgeBudgets = ({ store, observations }: Judged): string[] => {
  if (observations.arePromisesBroken()) return [];
  const records = [...observations.requests.values()];
  return [...store.storedAccounts.periods.values()]
    .filter(({ id, granted, used }) => {
      const counted = records.filter(({ periods }) => periods.some((named) => named.id === id));
      const isHard = counted.every(({ periods }) => periods.some((named) => named.id === id && named.isHard));
      return isHard && used > granted && !counted.some(({ exaggerates }) => exaggerates);
    })
    .map(({ id, granted, used }) => `L8 budget period ${id} of ${granted} was charged ${used}`);
};

/** Compares balances in memory with their rows, but for those that are read before their next use anyway. */
export const judgeReserved = ({ plan, processes, store }: Omit<Judged, 'observations' | 'when'>): string[] => {
  const faults: string[] = [];
  for (const process of processes) {
    if (process === undefined) continue;
    for (const payer of plan.payers) {
      // Not in memory, or known to be out of date: it is read before its next use.
      const loading = process.accounts.ready(payer);
      loading?.catch(() => undefined);
      if (loading !== null) continue;
      const free = process.accounts.free(payer);
      const user = store.storedAccounts.users.get(payer.userId)?.available;
      const token = payer.tokenLimited ? store.storedAccounts.tokens.get(payer.tokenId)?.available : Infinity;
      const budget = budgetOf(payer, store);
      if (free.user !== user || free.token !== token || free.budget !== budget)
        faults.push(
          `L4 in memory ${free.user}, ${free.token} and ${free.budget} are free, stored ${user}, ${token} and ${budget}`,
        );
    }
  }
  return faults;
};

const judgeHolds = ({ store, processes, observations, when }: Judged): string[] => {
  // The end of a call that was lost with its commit: the next start finds its hold.
  if (when === 'rest' && observations.arePromisesBroken()) return [];
  const running = new Set(processes.map((process) => `${process?.identity.node} ${process?.identity.epoch}`));
  return [...store.storedAccounts.holds.values()]
    .filter(({ node, epoch }) => when === 'end' || running.has(`${node} ${epoch}`))
    .map(({ request_id }) => `L4 the hold of ${request_id} was left open`);
};

const judgePromises = ({ store, observations }: Judged): string[] => {
  const { ledger } = store.storedAccounts;
  const faults: string[] = [];
  for (const { opKey, amount } of observations.credits) {
    const entries = ledger.filter((entry) => entry.op_key === opKey);
    if (entries.length !== 1 || entries[0]?.amount !== amount)
      faults.push(`L10 the credit ${opKey} was promised and is not there`);
  }
  for (const code of store.storedAccounts.codes.values()) {
    const answered = observations.redeemed.filter((key) => key === code.key_digest).length;
    const entries = ledger.filter((entry) => entry.op_key === `redeem:${code.id}`);
    if (answered > 1 || entries.length > 1 || answered > entries.length)
      faults.push(`L9 code ${code.id}: ${answered} answered with success, ${entries.length} credited`);
    if ((code.status === 3) !== (entries.length === 1))
      faults.push(`L9 code ${code.id}: status ${code.status}, ${entries.length} credited`);
    if (entries.some((entry) => entry.amount !== code.quota)) faults.push(`L9 code ${code.id} credited another amount`);
  }
  return faults;
};

/** Compares the ledger with what clients, upstreams and operators were answered. */
export const findFaults = (judged: Judged): readonly string[] => {
  const { store, observations } = judged;
  const entries = new Map(store.storedAccounts.ledger.map((entry) => [entry.op_key, entry]));
  const entriesOf = ({ requestId }: RequestRecord): Entries => ({
    use: entries.get(useKey(requestId)),
    overdraft: entries.get(overdraftKey(useKey(requestId))),
  });
  return [
    ...brokenInvariants(store.storedAccounts),
    ...[...observations.requests.values()].flatMap((record) => judgeRequest(record, entriesOf(record), judged)),
    ...judgeMirrors(judged),
    ...judgeHolds(judged),
    ...judgePromises(judged),
    ...judgeBudgets(judged),
  ];
};
