import { setTimeout as sleep } from 'node:timers/promises';
import type { Balance } from '../../src/store/ledger/postings.ts';
import { buildTestApp, type TestApp, type TestAppOptions, type TestUser } from './app.ts';
import { type ClientEntry, clientEntryOf, namelessEntry } from '../clients/client-entry.ts';
import { startFakeUpstream, type FakeUpstream, type FakeUpstreamOptions } from '../fakes/fake-upstream.ts';
import { startRaw, type RawAnswer, type RawCall } from '../clients/raw-client.ts';
import { addRelayUser, type RelayUser, type RelayUserOptions } from './relay-user.ts';
import { findDisagreements } from '../oracles/find-disagreements.ts';

/** The model that every channel of a relay test serves. */
export const testModel = 'weir-test';

/** What the test model costs: one unit for a prompt token, two for a completion token. */
export const testPrice = ({ prompt, completion }: { readonly prompt: number; readonly completion: number }): number =>
  prompt + 2 * completion;

export interface ChannelValues {
  readonly type?: number;
  readonly name?: string;
  readonly key?: string;
  readonly base_url?: string;
  readonly models?: string;
  readonly group?: string;
  readonly priority?: number;
  readonly weight?: number;
  readonly model_mapping?: string;
  readonly system_prompt?: string;
  readonly other?: string;
  readonly config?: string;
}

export interface ClientRequest {
  readonly key: string;
  /** Members of the body besides the model, the messages and the nonce; a text or bytes: the whole body. */
  readonly body?: Readonly<Record<string, unknown>> | string | Buffer;
  /** Names the call where `body` is a text or bytes: what its `user` member says. */
  readonly nonce?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly cutAfterBytes?: number;
}

export interface RelayCall extends RawCall {
  readonly nonce: string;
}

export interface NamedAnswer extends RawAnswer {
  readonly nonce: string;
}

/** The real gateway between clients and a fake upstream, with a journal on each side. */
export interface RelayApp {
  readonly app: TestApp;
  readonly url: string;
  readonly root: TestUser;
  readonly upstream: FakeUpstream;
  /** Another upstream whose journal counts when the ledger is compared; one that runs already is closed with the others. */
  addUpstream(options?: FakeUpstreamOptions | FakeUpstream): Promise<FakeUpstream>;
  /** A channel to `upstream` for the test model, but for what is given; resolves to its id. */
  addChannel(values?: ChannelValues): Promise<number>;
  changeChannel(id: number, values: Readonly<Record<string, unknown>>): Promise<void>;
  setOption(key: string, value: string): Promise<void>;
  addUser(options?: RelayUserOptions): Promise<RelayUser>;
  /** Starts a chat completion and notes it for the comparison of the ledger. */
  start(request: ClientRequest): RelayCall;
  ask(request: ClientRequest): Promise<NamedAnswer>;
  userBalance(id: number): Promise<Balance>;
  tokenBalance(id: number): Promise<Balance>;
  /** What was charged for a request; null: nothing. */
  chargeOf(requestId: string): Promise<{ readonly amount: number; readonly estimated: number } | null>;
  logOf(requestId: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** Waits until nothing runs any more and no hold is open. */
  settled(): Promise<void>;
  /** Where the ledger, the clients and the upstreams do not agree, once everything settled. */
  disagreements(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const bodyOf = ({ body = {}, nonce = '' }: ClientRequest): Buffer | string =>
  typeof body === 'string' || Buffer.isBuffer(body)
    ? body
    : JSON.stringify({
        model: testModel,
        messages: [{ role: 'user', content: `Tell me about ${nonce} .` }],
        ...body,
        user: nonce,
      });

/** Clients that record their requests and answers. */
const createClients = (url: string) => {
  const entries: ClientEntry[] = [];
  let count = 0;
  const start = (request: ClientRequest): RelayCall => {
    count += 1;
    // Of one length, so that requests can cost the same.
    const nonce = request.nonce ?? `nonce-${String(count).padStart(6, '0')}`;
    const body = bodyOf({ ...request, nonce });
    const { path = '/v1/chat/completions', cutAfterBytes } = request;
    const headers = { authorization: `Bearer ${request.key}`, 'content-type': 'application/json', ...request.headers };
    const call = startRaw({ url, path, headers, body, ...(cutAfterBytes === undefined ? {} : { cutAfterBytes }) });
    const entry = namelessEntry(nonce);
    entries.push(entry);
    const answer = call.answer.then((done) => {
      Object.assign(entry, clientEntryOf(nonce, done));
      return done;
    });
    return { ...call, answer, nonce };
  };
  return { entries, start };
};

/** Long enough for a busy machine. */
const patienceMs = 240_000;
const pollMs = 20;
/** A request that has ended in memory may not be in the database yet. */
const quietPolls = 3;

/** Polls until `isQuiet` held several times in a row. */
export const untilQuiet = async (isQuiet: () => Promise<boolean> | boolean): Promise<void> => {
  const deadline = Date.now() + patienceMs;
  for (let quiet = 0; quiet < quietPolls;) {
    quiet = (await isQuiet()) ? quiet + 1 : 0;
    if (Date.now() > deadline) throw new Error('it did not come to rest');
    await sleep(pollMs);
  }
};

/** Polls until `isTrue` holds. */
export const until = async (isTrue: () => Promise<boolean> | boolean): Promise<void> => {
  const deadline = Date.now() + patienceMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('it did not come true');
    await sleep(5);
  }
};

const createLedgerReader = ({ db }: TestApp) => {
  const balance = async (table: 'users' | 'tokens', id: number): Promise<Balance> =>
    db.read.selectFrom(table).select(['available', 'held', 'used']).where('id', '=', id).executeTakeFirstOrThrow();
  const openHolds = async (): Promise<number> =>
    (await db.read.selectFrom('holds').select('request_id').execute()).length;
  return {
    openHolds,
    userBalance: (id: number) => balance('users', id),
    tokenBalance: (id: number) => balance('tokens', id),
    chargeOf: async (requestId: string) => {
      const uses = await db.read
        .selectFrom('ledger')
        .select(['amount', 'estimated'])
        .where('kind', '=', 'use')
        .where('request_id', '=', requestId)
        .execute();
      if (uses.length > 1) throw new Error(`${requestId} was charged ${uses.length} times`);
      return uses[0] ?? null;
    },
    logOf: async (requestId: string) => {
      const rows = await db.read.selectFrom('logs').selectAll().where('request_id', '=', requestId).execute();
      if (rows.length > 1) throw new Error(`${requestId} has ${rows.length} log rows`);
      return rows[0] ?? null;
    },
  };
};

/** Starts a gateway with a fresh database, an upstream, and simple prices. */
export const buildRelayApp = async (options: TestAppOptions = {}): Promise<RelayApp> => {
  await using started = new AsyncDisposableStack();
  const app = await buildTestApp(options);
  started.defer(app.close);
  const upstreams: FakeUpstream[] = [];
  const addUpstream: RelayApp['addUpstream'] = async (upstreamOptions = {}) => {
    const added = 'close' in upstreamOptions ? upstreamOptions : await startFakeUpstream(upstreamOptions);
    upstreams.push(added);
    return added;
  };
  const upstream = await addUpstream();
  started.defer(async () => void (await Promise.all(upstreams.map((one) => one.close()))));
  const root = await app.root();
  const setOption = async (key: string, value: string) => void (await root.data('PUT', '/api/option/', { key, value }));
  if (options.unpriced === undefined) {
    await setOption('ModelRatio', JSON.stringify({ [testModel]: 1 }));
    await setOption('CompletionRatio', JSON.stringify({ [testModel]: 2 }));
    await setOption('PartRatio', '{}');
  }

  const clients = createClients(app.url);
  const ledger = createLedgerReader(app);
  const settled = () =>
    untilQuiet(async () => upstreams.every((one) => one.running() === 0) && (await ledger.openHolds()) === 0);
  const ending = started.move();
  return {
    app,
    url: app.url,
    root,
    upstream,
    addUpstream,
    addChannel: async (values = {}) => {
      const channel = {
        type: 8,
        name: 'test',
        key: upstream.key,
        base_url: upstream.url,
        models: testModel,
        group: 'default',
        ...values,
      };
      await root.data('POST', '/api/channel/', channel);
      const { id } = await app.db.read
        .selectFrom('channels')
        .select((on) => on.fn.max('id').as('id'))
        .executeTakeFirstOrThrow();
      return Number(id);
    },
    changeChannel: async (id, values) => void (await root.data('PUT', '/api/channel/', { id, ...values })),
    setOption,
    addUser: (userOptions) => addRelayUser(app, userOptions),
    start: clients.start,
    ask: async (request) => {
      const call = clients.start(request);
      const answer = await call.answer;
      // Getters of the answer are read anew, which a copy would not do.
      return Object.assign(answer, { nonce: call.nonce });
    },
    userBalance: ledger.userBalance,
    tokenBalance: ledger.tokenBalance,
    chargeOf: ledger.chargeOf,
    logOf: ledger.logOf,
    settled,
    disagreements: async () => {
      await settled();
      const upstreamEntries = upstreams.flatMap((one) => one.journal());
      return findDisagreements(app.db, { clients: clients.entries, upstream: upstreamEntries, price: testPrice });
    },
    close: () => ending.disposeAsync(),
  };
};
