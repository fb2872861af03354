import { useKey } from '../../src/store/ledger/accounts-state.ts';
import type { NewEntry } from '../../src/store/ledger/accounts-state.ts';
import { brokenInvariants } from './simulated-accounts.ts';
import type { WorldPlan } from './plan.ts';
import type { SimulatedProcess } from './process.ts';
import type { SimulatedStore } from './store.ts';
import type { RequestRecord, Observations } from './witness.ts';

interface Judged {
  readonly plan: WorldPlan;
  readonly store: SimulatedStore;
  readonly observations: Observations;
  readonly processes: readonly (SimulatedProcess | undefined)[];
  /** `rest`: nothing runs any more; `end`: every node was started once more after that. */
  readonly when: 'rest' | 'end';
}

const judgeRequest = (
  record: RequestRecord,
  use: NewEntry | undefined,
  { observations: { settled, progressed }, when }: Judged,
): string[] => {
  const { requestId, owed, most, mayFallShort } = record;
  const faults: string[] = [];
  const say = (rule: string, text: string) => faults.push(`${rule} ${requestId}: ${text}`);
  const requestCount = use === undefined ? 0 : use.amount + use.unrecovered;
  if (owed !== undefined && requestCount !== owed) say('L6', `a whole answer of ${owed} was charged ${requestCount}`);
  if (requestCount > most) say('L7', `charged ${requestCount}, delivered and reported were ${most}`);
  if (use !== undefined && use.unrecovered > 0 && !mayFallShort) say('L8', `${use.unrecovered} could not be collected`);
  const promised = settled.get(requestId);
  if (promised !== undefined && use?.amount !== promised)
    say('L10', `told ${promised} was charged, the ledger has ${use?.amount}`);
  const checkpoint = progressed.get(requestId) ?? 0;
  if (when === 'end' && checkpoint > requestCount)
    say('L6', `a checkpoint of ${checkpoint} was durable, ${requestCount} was charged`);
  return faults;
};

/** What is in memory must be what is durable, once nothing runs. */
const judgeMirrors = ({ plan, processes, store }: Judged): string[] => {
  if (plan.kind === 'postgres') return [];
  const faults: string[] = [];
  for (const process of processes) {
    if (process === undefined) continue;
    for (const payer of plan.payers) {
      // Not in memory, or known to be out of date: it is read before its next use.
      const loading = process.accounts.ready(payer);
      loading?.catch(() => undefined);
      if (loading !== null) continue;
      const free = process.accounts.free(payer);
      const user = store.books.users.get(payer.userId)?.available;
      const token = payer.tokenLimited ? store.books.tokens.get(payer.tokenId)?.available : Infinity;
      if (free.user !== user || free.token !== token)
        faults.push(`L4 in memory ${free.user} and ${free.token} are free, in the books ${user} and ${token}`);
    }
  }
  return faults;
};

const judgeHolds = ({ store, processes, when }: Judged): string[] => {
  const running = new Set(processes.map((process) => `${process?.identity.node} ${process?.identity.epoch}`));
  return [...store.books.holds.values()]
    .filter(({ node, epoch }) => when === 'end' || running.has(`${node} ${epoch}`))
    .map(({ request_id }) => `L4 the hold of ${request_id} was left open`);
};

const judgePromises = ({ store, observations }: Judged): string[] => {
  const { ledger } = store.books;
  const faults: string[] = [];
  for (const { opKey, amount } of observations.credits) {
    const entries = ledger.filter((entry) => entry.op_key === opKey);
    if (entries.length !== 1 || entries[0]?.amount !== amount)
      faults.push(`L10 the credit ${opKey} was promised and is not there`);
  }
  for (const code of store.books.codes.values()) {
    const answer = observations.redeemed.filter((key) => key === code.key_digest).length;
    const entries = ledger.filter((entry) => entry.op_key === `redeem:${code.id}`);
    if (answer > 1 || entries.length > 1 || answer > entries.length)
      faults.push(`L9 code ${code.id}: ${answer} told, ${entries.length} credited`);
    if ((code.status === 3) !== (entries.length === 1))
      faults.push(`L9 code ${code.id}: status ${code.status}, ${entries.length} credited`);
    if (entries.some((entry) => entry.amount !== code.quota)) faults.push(`L9 code ${code.id} credited another amount`);
  }
  return faults;
};

/** Compares the ledger with what clients, upstreams and operators were answered. */
export const findFaults = (judged: Judged): readonly string[] => {
  const { store, observations } = judged;
  const uses = new Map(store.books.ledger.map((entry) => [entry.op_key, entry]));
  return [
    ...brokenInvariants(store.books),
    ...[...observations.requests.values()].flatMap((record) =>
      judgeRequest(record, uses.get(useKey(record.requestId)), judged),
    ),
    ...judgeMirrors(judged),
    ...judgeHolds(judged),
    ...judgePromises(judged),
  ];
};
