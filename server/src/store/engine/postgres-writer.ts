import { Client, DatabaseError } from 'pg';
import { AppError } from '../../errors.ts';
import type { Posting, PostingResult } from '../postings.ts';
import type { NodeIdentity } from './accounts-state.ts';
import { batchMax, createGather } from './gather.ts';
import { createPostingQueue, type PostingUnit } from './posting-queue.ts';
import { postToPostgres, type PostgresRunner } from './postgres-accounts.ts';
import { connectPostgresWriter } from './postgres-link.ts';
import { postgresStatement } from './postgres-statements.ts';

const retryMinMs = 20;
const retryMaxMs = 1000;

export interface PostgresWriter {
  /** Joins the next group commit; resolves once durable. */
  post(posting: Posting): Promise<PostingResult>;
  /** Ends what was asked so far, then the connection. */
  close(): Promise<void>;
}

interface WriterOptions {
  readonly databaseUrl: string;
  readonly identity: NodeIdentity;
  readonly client: Client;
  /** Called once when another process has taken this node's name: this one must end. */
  readonly onFatal: (error: Error) => void;
}

type Ended =
  | { readonly kind: 'done'; readonly results: readonly PostingResult[] }
  /** Nothing of the batch stayed; it may be tried again. */
  | { readonly kind: 'again'; readonly error: unknown }
  /** The reply to COMMIT was lost. */
  | { readonly kind: 'unknown'; readonly transaction: string; readonly results: readonly PostingResult[] }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Deadlock, serialization failure, lock and statement timeouts (PostgreSQL, appendix A). */
const passing = new Set(['40001', '40P01', '55P03', '57014']);
const diskFull = '53100';

/** The server goes away, refuses connections, runs short of something or has become a read-only copy. */
const serverGone = (code: string | undefined) => code !== undefined && /^(08|53|57P|25006)/.test(code);

const classify = (error: unknown): Ended => {
  if (!(error instanceof DatabaseError)) return { kind: 'again', error };
  if (error.code === diskFull) return { kind: 'failed', error: new AppError('storage_full', {}, error) };
  if (passing.has(error.code ?? '') || serverGone(error.code)) return { kind: 'again', error };
  return { kind: 'failed', error };
};

const keepsConnection = (error: unknown): boolean => error instanceof DatabaseError && !serverGone(error.code);

const runnerOn = (client: Client): PostgresRunner => {
  const ask = (name: Parameters<typeof postgresStatement>[0], parameter: unknown) =>
    client.query({ name, text: postgresStatement(name), values: [parameter] });
  return {
    rows: async (statement, parameter) => (await ask(statement, parameter)).rows,
    write: async (statement, parameter) => (await ask(statement, parameter)).rowCount ?? 0,
    control: async (text) => void (await client.query(text)),
  };
};

/** One batch in one transaction. */
const transact = async (client: Client, postings: readonly Posting[], identity: NodeIdentity): Promise<Ended> => {
  try {
    const [, named] = await Promise.all([
      client.query('begin'),
      client.query<{ id: string }>('select pg_current_xact_id()::text as id'),
    ]);
    const results = await postToPostgres(runnerOn(client), postings, identity);
    try {
      await client.query('commit');
    } catch (error) {
      // An answer of the server, even a refusal, is an outcome; silence is not.
      if (error instanceof DatabaseError) throw error;
      return { kind: 'unknown', transaction: named.rows[0]?.id ?? '', results };
    }
    return { kind: 'done', results };
  } catch (error) {
    if (keepsConnection(error)) await client.query('rollback').catch(() => undefined);
    return classify(error);
  }
};

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A connection that is made anew, with growing pauses, whenever it was lost. */
const createLink = ({ databaseUrl, identity, client: first, onFatal }: WriterOptions) => {
  let client: Client | undefined = first;
  let pauseMs = retryMinMs;

  /** While the connection was lost another process may have started under this node's name. */
  const assertOwnEpoch = async (next: Client) => {
    const key = `epoch:${identity.node}`;
    const { rows } = await next.query<{ value: string }>('select value from instance where key = $1', [key]);
    if (rows[0]?.value === String(identity.epoch)) return;
    const error = new Error(`Another process has started as node ${identity.node}`);
    onFatal(error);
    throw error;
  };
  const drop = () => {
    client?.end().catch(() => undefined);
    client = undefined;
  };
  return {
    drop,
    /** Undefined while there is no connection to be had; it has paused before saying so. */
    get: async (): Promise<Client | undefined> => {
      if (client !== undefined) return client;
      try {
        client = await connectPostgresWriter({ databaseUrl, node: identity.node });
        await assertOwnEpoch(client);
        pauseMs = retryMinMs;
      } catch {
        drop();
        await sleep(pauseMs * (0.5 + Math.random()));
        pauseMs = Math.min(retryMaxMs, pauseMs * 2);
      }
      return client;
    },
    close: async () => {
      await client?.end().catch(() => undefined);
    },
  };
};
type Link = ReturnType<typeof createLink>;

/** What became of a transaction whose COMMIT was not answered: the server knows by its number. */
const askOutcome = async (link: Link, transaction: string, stillWanted: () => boolean) => {
  while (stillWanted()) {
    const client = await link.get();
    try {
      const { rows } = (await client?.query<{ status: string }>('select pg_xact_status($1::xid8) as status', [
        transaction,
      ])) ?? { rows: [] };
      const status = rows[0]?.status;
      if (status === 'committed' || status === 'aborted') return status;
      await sleep(retryMinMs);
    } catch (error) {
      if (!keepsConnection(error)) link.drop();
    }
  }
  return 'aborted';
};

/** Runs batches of postings one after the other on a connection of its own, through losses of that connection. */
export const startPostgresWriter = (options: WriterOptions): PostgresWriter => {
  const link = createLink(options);
  const queue = createPostingQueue();
  const idle: (() => void)[] = [];
  let busy = false;

  const attempt = async (units: readonly PostingUnit[]): Promise<Exclude<Ended, { kind: 'unknown' }>> => {
    const client = await link.get();
    if (client === undefined) return { kind: 'again', error: undefined };
    const postings = units.map((unit) => unit.posting);
    const ended = await transact(client, postings, options.identity);
    if (ended.kind === 'unknown' || (ended.kind === 'again' && !keepsConnection(ended.error))) link.drop();
    if (ended.kind !== 'unknown') return ended;
    const status = await askOutcome(link, ended.transaction, () => units.some((unit) => unit.waits));
    return status === 'committed' ? { kind: 'done', results: ended.results } : { kind: 'again', error: undefined };
  };
  const run = async (batch: readonly PostingUnit[]): Promise<void> => {
    for (;;) {
      const units = batch.filter((unit) => unit.waits);
      if (units.length === 0) return;
      const ended = await attempt(units);
      if (ended.kind === 'done') {
        for (const [index, unit] of units.entries()) unit.resolve(ended.results[index]);
        return;
      }
      if (ended.kind === 'failed' && units.length === 1) {
        units[0]?.reject(ended.error);
        return;
      }
      if (ended.kind === 'failed') {
        // One of them is at fault: alone, the others pass.
        for (const unit of units) await run([unit]);
        return;
      }
      if (ended.error instanceof DatabaseError) await sleep(retryMinMs * Math.random());
    }
  };
  const send = () => {
    const batch = queue.take(batchMax);
    if (batch.length === 0 && queue.size() > 0) return plan();
    if (batch.length === 0) {
      for (const resolve of idle.splice(0)) resolve();
      return;
    }
    busy = true;
    void run(batch).finally(() => {
      busy = false;
      plan();
    });
  };
  const plan = createGather({ count: queue.size, send });

  return {
    post: (posting) => {
      const result = queue.add(posting);
      if (!busy) plan();
      return result;
    },
    close: async () => {
      if (busy || queue.size() > 0) await new Promise<void>((resolve) => idle.push(resolve));
      queue.close();
      await link.close();
    },
  };
};
