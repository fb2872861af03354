import { useKey } from '../../src/store/ledger/accounts-state.ts';
import type { NewEntry } from '../../src/store/ledger/accounts-state.ts';
import { brokenInvariants } from './simulated-accounts.ts';
import type { WorldPlan } from './plan.ts';
import type { SimulatedProcess } from './process.ts';
import type { SimulatedStore } from './store.ts';
import type { RequestWitness, Witnesses } from './witness.ts';

interface Judged {
  readonly plan: WorldPlan;
  readonly store: SimulatedStore;
  readonly witnesses: Witnesses;
  readonly processes: readonly (SimulatedProcess | undefined)[];
  /** `rest`: nothing runs any more; `end`: every node was started once more after that. */
  readonly when: 'rest' | 'end';
}

const judgeRequest = (
  witness: RequestWitness,
  use: NewEntry | undefined,
  { witnesses: { settled, progressed }, when }: Judged,
): string[] => {
  const { requestId, owed, most, mayFallShort } = witness;
  const faults: string[] = [];
  const say = (rule: string, text: string) => faults.push(`${rule} ${requestId}: ${text}`);
  const asked = use === undefined ? 0 : use.amount + use.unrecovered;
  if (owed !== undefined && asked !== owed) say('L6', `a whole answer of ${owed} was charged ${asked}`);
  if (asked > most) say('L7', `charged ${asked}, delivered and reported were ${most}`);
  if (use !== undefined && use.unrecovered > 0 && !mayFallShort) say('L8', `${use.unrecovered} could not be collected`);
  const promised = settled.get(requestId);
  if (promised !== undefined && use?.amount !== promised)
    say('L10', `told ${promised} was charged, the ledger has ${use?.amount}`);
  const checkpoint = progressed.get(requestId) ?? 0;
  if (when === 'end' && checkpoint > asked)
    say('L6', `a checkpoint of ${checkpoint} was durable, ${asked} was charged`);
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

const judgePromises = ({ store, witnesses }: Judged): string[] => {
  const { ledger } = store.books;
  const faults: string[] = [];
  for (const { opKey, amount } of witnesses.credits) {
    const entries = ledger.filter((entry) => entry.op_key === opKey);
    if (entries.length !== 1 || entries[0]?.amount !== amount)
      faults.push(`L10 the credit ${opKey} was promised and is not there`);
  }
  for (const code of store.books.codes.values()) {
    const told = witnesses.redeemed.filter((key) => key === code.key_digest).length;
    const entries = ledger.filter((entry) => entry.op_key === `redeem:${code.id}`);
    if (told > 1 || entries.length > 1 || told > entries.length)
      faults.push(`L9 code ${code.id}: ${told} told, ${entries.length} credited`);
    if ((code.status === 3) !== (entries.length === 1))
      faults.push(`L9 code ${code.id}: status ${code.status}, ${entries.length} credited`);
    if (entries.some((entry) => entry.amount !== code.quota)) faults.push(`L9 code ${code.id} credited another amount`);
  }
  return faults;
};

/** Compares the ledger with what clients, upstreams and operators were answered. */
export const findFaults = (judged: Judged): readonly string[] => {
  const { store, witnesses } = judged;
  const uses = new Map(store.books.ledger.map((entry) => [entry.op_key, entry]));
  return [
    ...brokenInvariants(store.books),
    ...[...witnesses.requests.values()].flatMap((witness) =>
      judgeRequest(witness, uses.get(useKey(witness.requestId)), judged),
    ),
    ...judgeMirrors(judged),
    ...judgeHolds(judged),
    ...judgePromises(judged),
  ];
};
