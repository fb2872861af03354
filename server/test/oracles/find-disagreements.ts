import * as v from 'valibot';
import type { Database } from '../../src/store/database.ts';
import { verifyLedger } from '../../src/store/ledger/verify.ts';
import type { ClientEntry } from '../clients/client-entry.ts';
import { promptTokens, textTokens } from './count-tokens.ts';
import type { UpstreamEntry } from '../fakes/fake-upstream-journal.ts';
import { madeText } from '../fakes/fake-upstream.ts';
import { isJson, valueOfJson } from '../parsing/json.ts';

/** The ledger, and two journals that the gateway does not write and the ledger must agree with. */
export interface ComparisonInput {
  readonly clients: readonly ClientEntry[];
  readonly upstream: readonly UpstreamEntry[];
  /** What a usage costs, in quota units. */
  readonly price: (usage: { readonly prompt: number; readonly completion: number }) => number;
  /** Processes were killed: the part of a stream after its last checkpoint is not billed. */
  readonly crashes?: boolean;
}

/** More tokens than any call uses. */
const tokensMax = 100_000_000;

interface Use {
  readonly request_id: string;
  /** What it cost, whether it could be collected or not. */
  readonly amount: number;
  readonly unrecovered: number;
  readonly estimated: number;
  readonly reason: string;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= tokensMax;

/** The cost of a usage; undefined: the usage is not plausible, so the gateway counted the tokens itself. */
const costOf = (usage: unknown, price: ComparisonInput['price']): number | undefined => {
  const { prompt_tokens: prompt, completion_tokens: completion } = isJson(usage) ? usage : {};
  return isCount(prompt) && isCount(completion) ? price({ prompt, completion }) : undefined;
};

const messagesSchema = v.object({ messages: v.array(v.object({ role: v.string(), content: v.string() })) });

/**
 * What the stream may cost whose usage never came: the prompt and some number of its words, at least `least` and at most
 * what was sent, both counted without the gateway's own code. Null: it is none that can be counted here.
 */
const countedCosts = (
  served: UpstreamEntry,
  least: number,
  price: ComparisonInput['price'],
): readonly number[] | null => {
  const question = v.safeParse(messagesSchema, valueOfJson(served.body.toString()));
  if (!question.success || served.words === 0) return null;
  const prompt = promptTokens(question.output.messages);
  const most = Math.min(served.words, served.eventsSent);
  const costOfWords = (words: number) => price({ prompt, completion: textTokens(madeText(words)) });
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => costOfWords(least + index));
};

/** The number of words in `text`; null: it is not the beginning of the answer. */
const wordsIn = (text: string, { words }: UpstreamEntry): number | null => {
  const count = text === '' ? 0 : text.split(' ').length;
  return count <= words && madeText(count) === text ? count : null;
};

/** Finds errors in the charge for an answer that did not reach its client in full. */
const judgePart = (client: ClientEntry, last: UpstreamEntry, use: Use, price: ComparisonInput['price']): string[] => {
  const cost = costOf(last.usage, price);
  if (cost === undefined) return [];
  if (use.estimated === 0) {
    // The usage report comes after all words.
    const reported = last.completed || (last.words > 0 && last.eventsSent > last.words);
    return reported && use.amount === cost ? [] : [`L7 billed ${use.amount}, upstream's usage says ${cost}`];
  }
  const delivered = last.words === 0 ? 0 : wordsIn(client.delivered, last);
  if (delivered === null) return ['S2 what was delivered is not what upstream sent'];
  // A crash loses the words after the last checkpoint.
  const least = use.reason === 'recovered' ? 1 : Math.max(1, delivered);
  const costs = countedCosts(last, least, price);
  if (costs === null || costs.includes(use.amount)) return [];
  return [`L7 billed ${use.amount}, counting says ${costs[0]} to ${costs.at(-1)}`];
};

interface Judged {
  readonly served: readonly UpstreamEntry[];
  readonly use: Use | undefined;
  readonly price: ComparisonInput['price'];
  readonly crashes: boolean;
}

const faultsOf = (client: ClientEntry, { served, use, price, crashes }: Judged): string[] => {
  const answered = served.find((entry) => entry.completed);
  const last = answered ?? served.at(-1);
  const cost = costOf(answered?.usage, price);
  const faults: string[] = [];
  if (client.complete && use === undefined) faults.push('L6 a complete answer was not billed');
  if (client.complete && answered === undefined)
    faults.push('S1 an answer looked complete that upstream never finished');
  if (client.complete && use !== undefined && cost !== undefined && (use.amount !== cost || use.estimated !== 0))
    faults.push(`L6 a complete answer cost ${use.amount}, upstream's usage says ${cost}`);
  if (!client.complete && !crashes && client.delivered !== '' && use === undefined)
    faults.push('L6 words were delivered and not billed');
  if (use !== undefined && (last === undefined || served.every((entry) => entry.bytesSent === 0)))
    faults.push('L7 billed, but upstream sent nothing');
  else if (!client.complete && use !== undefined && last !== undefined)
    faults.push(...judgePart(client, last, use, price));
  return faults;
};

/**
 * What was billed for no known call. A client that was cut before its answer began does not know the id of its
 * request: what such a request may cost is at most billed once for each of them.
 */
const unknownUses = (uses: readonly Use[], nameless: readonly ClientEntry[], judge: Judge): string[] => {
  const left = new Set(nameless);
  return uses.flatMap((use) => {
    const owner = [...left].find((client) => judge(client, use).length === 0);
    if (owner !== undefined) left.delete(owner);
    return owner === undefined ? [`L10 ${use.request_id}: billed, and no client sent it`] : [];
  });
};

type Judge = (client: ClientEntry, use: Use | undefined) => string[];

/** Joins the ledger with the journals and evaluates the invariants; the result is empty when everything agrees. */
export const findDisagreements = async (
  db: Database,
  { clients, upstream, price, crashes = false }: ComparisonInput,
): Promise<readonly string[]> => {
  const { findings } = await verifyLedger(db);
  const uses = await db.read
    .selectFrom('ledger')
    .select(['request_id', 'amount', 'unrecovered', 'estimated', 'reason'])
    .where('kind', '=', 'use')
    .execute()
    .then((rows) => rows.map((row) => ({ ...row, amount: row.amount + row.unrecovered })));
  const useOf = new Map(uses.map((use) => [use.request_id, use]));
  const servedOf = Map.groupBy(upstream, (entry) => entry.request?.nonce ?? '');
  const judge: Judge = (client, use) =>
    faultsOf(client, { served: servedOf.get(client.nonce) ?? [], use, price, crashes });
  const known = new Set(clients.map((client) => client.requestId));
  const open = await db.read.selectFrom('holds').select('request_id').execute();
  return [
    ...findings.map(({ rule, subject, expected, found }) => `${rule} ${subject}: expected ${expected}, found ${found}`),
    ...clients.flatMap((client) =>
      judge(client, useOf.get(client.requestId)).map(
        (fault) => `${fault.slice(0, 2)} ${client.nonce} (${client.requestId}):${fault.slice(2)}`,
      ),
    ),
    ...open.map(({ request_id }) => `L4 hold ${request_id} is still open`),
    ...uses
      .filter((use) => use.unrecovered !== 0)
      .map((use) => `L8 ${use.request_id}: ${use.unrecovered} not recovered`),
    ...unknownUses(
      uses.filter((use) => !known.has(use.request_id)),
      clients.filter((client) => client.requestId === ''),
      judge,
    ),
  ];
};
