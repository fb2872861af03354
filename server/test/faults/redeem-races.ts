import { setTimeout as sleep } from 'node:timers/promises';
import { redemptionSchema } from '@weir/contract/redemptions';
import * as v from 'valibot';
import { openDatabase } from '../../src/store/open-database.ts';
import type { Database } from '../../src/store/database.ts';
import { signInTo, type ManagementClient } from '../clients/management-client.ts';
import { checkAnswer } from '../contract/check-answer.ts';
import { startNodes, type Nodes } from '../processes/nodes.ts';
import { rootPassword } from '../processes/server-process.ts';
import { findDisagreements } from '../oracles/find-disagreements.ts';

export interface RedeemRacesOptions {
  readonly rounds: number;
  /** All of them try the code of each round at once. */
  readonly users: number;
  /** Processes over one PostgreSQL; on SQLite there is one. */
  readonly nodes: number;
  /** In every so-manieth round the server is killed while they try, and they try again. */
  readonly killEvery: number;
  /** A session may make so many calls in a minute, and each user makes one in every round. */
  readonly roundMsMin: number;
}

export interface RedeemRacesReport {
  readonly rounds: number;
  readonly nodes: number;
  readonly attempts: number;
  readonly kills: number;
  /** Attempts without an answer. */
  readonly unanswered: number;
  /** Empty if the ledger agrees with the users' answers. */
  readonly disagreements: readonly string[];
}

type Outcome = 'added' | 'refused' | 'unanswered';

interface Racer {
  readonly id: number;
  readonly cookie: string;
}

/** The answer to one user about one code. */
interface JournalEntry {
  readonly codeId: number;
  readonly userId: number;
  readonly outcome: Outcome;
}

interface Code {
  readonly id: number;
  readonly key: string;
  readonly quota: number;
}

const codesAtOnce = 100;
const password = 'correct horse battery staple';
const killWithinMs = 100;

const signUpRacers = async (url: string, root: ManagementClient, count: number): Promise<readonly Racer[]> => {
  const racers: Racer[] = [];
  for (let index = 0; index < count; index += 1) {
    const username = `racer${index}`;
    await root.call('POST', '/api/user/', { username, password });
    const response = await fetch(`${url}/api/user/login`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    const { data } = v.parse(v.object({ data: v.object({ id: v.number() }) }), await response.json());
    racers.push({ id: data.id, cookie: response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' });
  }
  return racers;
};

/** Codes of one batch differ in nothing but their key; those of two differ in quota. */
const makeCodes = async (root: ManagementClient, batch: number): Promise<readonly Code[]> => {
  const name = `batch ${batch}.`;
  await root.call('POST', '/api/redemption/', { name, quota: 1000 + batch, count: codesAtOnce });
  const found = await root.call('GET', `/api/redemption/search?keyword=${encodeURIComponent(name)}`);
  return v.parse(v.array(redemptionSchema), found);
};

const answerSchema = v.object({ success: v.boolean(), message: v.string(), data: v.optional(v.number()) });

const tryCode = async (url: string, { cookie }: Racer, { key, quota }: Code): Promise<Outcome> => {
  const response = await fetch(`${url}/api/user/topup`, {
    method: 'POST',
    headers: { origin: url, cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  }).catch(() => undefined);
  const text = await response?.text().catch(() => undefined);
  // 503: the database did not answer in time, so the outcome is unknown too.
  if (response === undefined || text === undefined || response.status === 503) return 'unanswered';
  const { status, headers } = response;
  checkAnswer('POST', '/api/user/topup', { status, headers, text });
  const { success, message, data } = v.parse(answerSchema, JSON.parse(text));
  if (success && data === quota) return 'added';
  if (message.includes('already been used')) return 'refused';
  throw new Error(`${status} ${text}`);
};

const race = (nodes: Nodes, racers: readonly Racer[], code: Code): Promise<readonly JournalEntry[]> =>
  Promise.all(
    racers.map(async (racer, index) => ({
      codeId: code.id,
      userId: racer.id,
      outcome: await tryCode(nodes.url(index), racer, code),
    })),
  );

const runRounds = async (nodes: Nodes, { rounds, users, killEvery, roundMsMin }: RedeemRacesOptions) => {
  let root = await signInTo(nodes.url(0), 'root', rootPassword);
  const racers = await signUpRacers(nodes.url(0), root, users);
  const journal: JournalEntry[] = [];
  let kills = 0;
  let codes: readonly Code[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    if (round % codesAtOnce === 0) codes = await makeCodes(root, round / codesAtOnce);
    const code = codes[round % codesAtOnce];
    if (code === undefined) throw new Error(`no code for round ${round}`);
    const running = race(nodes, racers, code);
    if (round % killEvery === killEvery - 1) {
      await sleep(Math.random() * killWithinMs);
      await nodes.killAndRestart(kills);
      kills += 1;
      journal.push(...(await running), ...(await race(nodes, racers, code)));
      root = await signInTo(nodes.url(0), 'root', rootPassword);
    } else {
      journal.push(...(await running));
    }
    await sleep(Math.max(0, roundMsMin - (performance.now() - began)));
  }
  return { journal, kills };
};

/** Compares the users' answers about a code with its redemption. */
const judgeCode = (id: number, owner: number, entries: readonly JournalEntry[]): string[] => {
  const credited = entries.filter(({ outcome }) => outcome === 'added').map(({ userId }) => userId);
  const mayHave = entries.filter(({ outcome }) => outcome === 'unanswered').map(({ userId }) => userId);
  if (owner === 0) return [`L9 code ${id}: redeemed by no user`];
  if (credited.length > 1) return [`L9 code ${id}: ${credited.length} users were answered with success`];
  if (credited.length === 1 && credited[0] !== owner)
    return [`L9 code ${id}: user ${credited[0]} was answered with success, user ${owner} has it`];
  if (credited.length === 0 && !mayHave.includes(owner))
    return [`L10 code ${id}: user ${owner} has it and was refused`];
  return [];
};

const judge = async (db: Database, journal: readonly JournalEntry[]): Promise<readonly string[]> => {
  const tried = Map.groupBy(journal, ({ codeId }) => codeId);
  const rows = await db.read.selectFrom('redemptions').select(['id', 'quota', 'redeemed_user_id']).execute();
  const users = await db.read.selectFrom('users').select(['id', 'available']).where('role', '=', 1).execute();
  const notes = await db.read.selectFrom('logs').select('user_id').where('type', '=', 1).execute();
  const ofUser = Map.groupBy(rows, (row) => row.redeemed_user_id);
  const notesOf = Map.groupBy(notes, (note) => note.user_id);
  return [
    ...rows.flatMap(({ id, redeemed_user_id: owner }) => {
      const entries = tried.get(id);
      return entries === undefined ? [] : judgeCode(id, owner, entries);
    }),
    ...users.flatMap(({ id, available }) => {
      const codes = ofUser.get(id) ?? [];
      const worth = codes.reduce((sum, { quota }) => sum + quota, 0);
      return [
        ...(available === worth ? [] : [`L9 user ${id} has ${available}, its codes are worth ${worth}`]),
        ...((notesOf.get(id)?.length ?? 0) === codes.length ? [] : [`user ${id}: not one log row for each code`]),
      ];
    }),
    ...(await findDisagreements(db, { clients: [], upstream: [], price: () => 0 })),
  ];
};

/**
 * Lets all users try each code at once, on all nodes, some of them killed meanwhile; at the end compares accounts,
 * codes, ledger and log with the users' answers.
 */
export const runRedeemRaces = async (options: RedeemRacesOptions): Promise<RedeemRacesReport> => {
  const nodes = await startNodes(options.nodes);
  try {
    const { journal, kills } = await runRounds(nodes, options);
    await nodes.stop();
    const db = await openDatabase(nodes.storage);
    try {
      return {
        rounds: options.rounds,
        nodes: nodes.count,
        attempts: journal.length,
        kills,
        unanswered: journal.filter(({ outcome }) => outcome === 'unanswered').length,
        disagreements: await judge(db, journal),
      };
    } finally {
      await db.close();
    }
  } finally {
    await nodes.close();
  }
};
