import type { Database } from '../src/store/database.ts';
import { verifyLedger } from '../src/store/verify.ts';
import type { UpstreamEntry } from './fake-upstream-journal.ts';
import { isJson } from './json.ts';
import type { ClientEntry } from './load-client.ts';

/** What the books must agree with: two journals that the gateway does not write. */
export interface Witnesses {
  readonly clients: readonly ClientEntry[];
  readonly upstream: readonly UpstreamEntry[];
  /** What a usage costs, in quota units. */
  readonly price: (usage: { readonly prompt: number; readonly completion: number }) => number;
}

/** No call comes near so many tokens. */
const tokensMax = 100_000_000;

interface Use {
  readonly request_id: string;
  readonly amount: number;
  readonly unrecovered: number;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= tokensMax;

/** What a usage costs; undefined: it is none that anybody would believe, so the gateway counted itself. */
const costOf = (usage: unknown, price: Witnesses['price']): number | undefined => {
  const { prompt_tokens: prompt, completion_tokens: completion } = isJson(usage) ? usage : {};
  return isCount(prompt) && isCount(completion) ? price({ prompt, completion }) : undefined;
};

const judge = (
  client: ClientEntry,
  served: readonly UpstreamEntry[],
  use: Use | undefined,
  price: Witnesses['price'],
): string[] => {
  const faults: string[] = [];
  const say = (rule: string, text: string) => faults.push(`${rule} ${client.nonce} (${client.requestId}): ${text}`);
  const answered = served.find((entry) => entry.completed);
  const cost = costOf(answered?.usage, price);
  if (client.complete && use === undefined) say('L6', 'a complete answer was not billed');
  if (client.complete && answered === undefined) say('S1', 'an answer looked complete that upstream never finished');
  if (client.complete && use !== undefined && cost !== undefined && use.amount !== cost) {
    say('L6', `a complete answer cost ${use.amount}, upstream's usage says ${cost}`);
  }
  if (use !== undefined && served.every((entry) => entry.bytesSent === 0))
    say('L7', 'billed, but upstream sent nothing');
  if (use !== undefined && cost !== undefined && use.amount > cost)
    say('L7', `billed ${use.amount}, upstream's usage says ${cost}`);
  return faults;
};

/** Joins the ledger with the journals and evaluates the invariants; the result is empty when everything agrees. */
export const findDisagreements = async (
  db: Database,
  { clients, upstream, price }: Witnesses,
): Promise<readonly string[]> => {
  const { findings } = await verifyLedger(db.query, db.kind);
  const uses = await db.query
    .selectFrom('ledger')
    .select(['request_id', 'amount', 'unrecovered'])
    .where('kind', '=', 'use')
    .execute();
  const useOf = new Map(uses.map((use) => [use.request_id, use]));
  const servedOf = Map.groupBy(upstream, (entry) => entry.asked?.nonce ?? '');
  const known = new Set(clients.map((client) => client.requestId));
  const open = await db.query.selectFrom('holds').select('request_id').execute();
  return [
    ...findings.map(({ rule, subject, expected, found }) => `${rule} ${subject}: expected ${expected}, found ${found}`),
    ...clients.flatMap((client) => judge(client, servedOf.get(client.nonce) ?? [], useOf.get(client.requestId), price)),
    ...open.map(({ request_id }) => `L4 hold ${request_id} is still open`),
    ...uses
      .filter((use) => use.unrecovered !== 0)
      .map((use) => `L8 ${use.request_id}: ${use.unrecovered} not recovered`),
    // A client that was cut before the first byte of its answer does not know its request's id: at most those may be unknown.
    ...uses
      .filter((use) => !known.has(use.request_id))
      .slice(clients.filter((client) => client.requestId === '').length)
      .map((use) => `L10 ${use.request_id}: billed, and no client ever asked`),
  ];
};
