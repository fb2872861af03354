import { pino } from 'pino';
import { role } from '@weir/contract/roles';
import type { Config } from '../../src/config.ts';
import { startGateway } from '../../src/gateway.ts';
import { createPasswords } from '../../src/http/passwords/passwords.ts';
import type { SuccessRule } from '../../src/jobs/channels/success-rates.ts';
import { openChanges } from '../../src/store/nodes/changes.ts';
import type { Database } from '../../src/store/database.ts';
import { createSecrets, type Secrets } from '../../src/store/credentials/secrets.ts';
import { storeMissingOption } from '../../src/store/options.ts';
import { checkAnswer, type WholeAnswer } from '../contract/check-answer.ts';
import { addUser } from '../database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../database/database.ts';
import { parseObject, type Json } from '../parsing/json.ts';

export interface Reply extends WholeAnswer {
  /** The JSON object of the answer; reading it fails the test if the body is none. */
  readonly json: Json;
}

export interface CallOptions {
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Calls the app as one browser or program does: its cookie is kept, its headers are sent with every call. An answer that
 * is not what the contract declares for its method and path throws.
 */
export interface Caller {
  readonly cookie: string;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** `data` of a call that must succeed. */
  data(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The message of a call that must be refused with status 200. */
  refused(method: string, path: string, body?: unknown): Promise<string>;
}

export interface TestUser extends Caller {
  readonly id: number;
  readonly username: string;
}

export interface TestAppOptions {
  readonly httpProxy?: string;
  readonly trustedProxies?: readonly string[];
  readonly initialRootToken?: string;
  readonly initialRootAccessToken?: string;
  readonly callsPerMinute?: number;
  readonly consoleDir?: string;
  readonly releasesUrl?: string;
  readonly githubUrl?: string;
  readonly larkUrl?: string;
  readonly channelTestMinutes?: number;
  readonly turnstileUrl?: string;
  /** Of an OTLP collector; absent: none. */
  readonly telemetryUrl?: string;
  readonly telemetryFormat?: Config['telemetryFormat'];
  readonly logSinkUrl?: string;
  readonly testPrompt?: string;
  /** Disables channels with a low success rate. */
  readonly successRule?: SuccessRule;
  /** The database of several gateways, which outlives each of them; absent: one of its own. */
  readonly database?: TestDatabase;
  /** What a first start sets; absent: models without a price are charged the ratio 30. */
  readonly unpriced?: 'as on a first start';
  /** Freezes the clock, which then moves only by `advance`: for tests of long waits. */
  readonly frozen?: true;
}

/** The whole gateway, listening. */
export interface TestApp {
  readonly url: string;
  readonly db: Database;
  readonly secrets: Secrets;
  /** Real time unless frozen, moved on by `advance`. */
  readonly clock: { now(): number; advance(ms: number): void };
  /** What was logged, one JSON object a line. */
  logged(): string;
  /** A caller without a session. */
  visitor(headers?: Readonly<Record<string, string>>): Caller;
  signIn(username: string, password: string): Promise<Caller>;
  root(): Promise<TestUser>;
  /** A fresh, signed-in account. */
  addUser(username: string, roleNumber?: number): Promise<TestUser>;
  close(): Promise<void>;
}

/** Of root, and of every account made by `addUser`. */
export const testPassword = 'correct horse battery staple';

const bodyOf = (body: unknown): string | undefined =>
  body === undefined || typeof body === 'string' ? body : JSON.stringify(body);

export const createCaller = (url: string, headers: Readonly<Record<string, string>> = {}): Caller => {
  let cookie = '';
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<Reply> => {
    const body = bodyOf(options.body);
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        // Headers that a browser sends with same-origin calls.
        'sec-fetch-site': 'same-origin',
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) cookie = set.split(';', 1)[0] ?? '';
    const text = await response.text();
    checkAnswer(method, path, { status: response.status, headers: response.headers, text });
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return parseObject(text);
      },
    };
  };
  const fail = (method: string, path: string, { status, text }: Reply): never => {
    throw new Error(`${method} ${path}: ${status} ${text}`);
  };
  return {
    get cookie() {
      return cookie;
    },
    call,
    data: async (method, path, body) => {
      const reply = await call(method, path, { body });
      return reply.status === 200 && reply.json['success'] === true ? reply.json['data'] : fail(method, path, reply);
    },
    refused: async (method, path, body) => {
      const reply = await call(method, path, { body });
      const isRefusal = reply.status === 200 && reply.json['success'] === false;
      return isRefusal ? String(reply.json['message']) : fail(method, path, reply);
    },
  };
};

const createTestClock = ({ frozen }: TestAppOptions) => {
  const begin = Date.now();
  let ahead = 0;
  return { now: () => (frozen ? begin : Date.now()) + ahead, advance: (ms: number) => void (ahead += ms) };
};

/** Lines in memory instead of on the terminal. */
const createTestLog = () => {
  let lines = '';
  return { log: pino({ level: 'info' }, { write: (line: string) => void (lines += line) }), logged: () => lines };
};

const configOf = (options: TestAppOptions) => ({
  initialRootPassword: testPassword,
  initialRootToken: options.initialRootToken,
  initialRootAccessToken: options.initialRootAccessToken,
  trustedProxies: options.trustedProxies ?? [],
  privateUpstreams: 'allow' as const,
  httpsProxy: undefined,
  httpProxy: options.httpProxy,
  noProxy: undefined,
  releasesUrl: options.releasesUrl,
  githubUrl: options.githubUrl ?? 'https://github.com',
  larkUrl: options.larkUrl ?? 'https://open.feishu.cn',
  channelTestMinutes: options.channelTestMinutes ?? 0,
  channelTestPauseSeconds: 0,
  testPrompt: options.testPrompt ?? 'Who are you?',
  watchesSuccess: options.successRule !== undefined,
  successCalls: options.successRule?.calls ?? 10,
  successLeast: options.successRule?.least ?? 0.8,
  turnstileUrl: options.turnstileUrl ?? 'https://challenges.cloudflare.com',
  nodeName: 'main',
  telemetryUrl: options.telemetryUrl,
  telemetryFormat: options.telemetryFormat ?? 'http/protobuf',
  tracedShare: 1,
  serviceName: 'weir',
  logSinkUrl: options.logSinkUrl,
  archiveDir: undefined,
  archiveAfterMonths: 12,
});

/** A cheap hash, because tests sign in often. The cost of the real one is tested with the hash function. */
const passwordCost = { memory: 64, passes: 1, parallelism: 1 };
const passwordHash = createPasswords(passwordCost).hash(testPassword);

/** Starts the real gateway on a free port over a database of the kind named by `TEST_DATABASE`. */
export const buildTestApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  await using started = new AsyncDisposableStack();
  const db = options.database ?? (await openTestDatabase());
  if (options.database === undefined) started.defer(db.close);
  const changes = await openChanges({ databaseUrl: db.databaseUrl });
  started.defer(changes.close);
  const clock = createTestClock(options);
  const { log, logged } = createTestLog();
  const secrets = createSecrets(Buffer.alloc(32, 7));
  const { callsPerMinute = 1_000_000 } = options;
  const config = configOf(options);
  if (options.unpriced === undefined)
    await db.write.transaction().execute((trx) => storeMissingOption(trx, 'UnpricedModels', 'fallback'));
  const gateway = await startGateway({
    config,
    db,
    secrets,
    changes,
    clock,
    log,
    build: 'v0.0.0-test',
    passwordCost,
    callsPerMinute,
    ...(options.consoleDir === undefined ? {} : { consoleDir: options.consoleDir }),
  });
  started.defer(gateway.close);
  const { port } = await gateway.listen({ port: 0, host: '127.0.0.1', workers: 1 });
  const url = `http://127.0.0.1:${port}`;

  const visitor: TestApp['visitor'] = (headers) => createCaller(url, headers);
  const signIn = async (username: string, password: string): Promise<Caller> => {
    const caller = visitor();
    await caller.data('POST', '/api/user/login', { username, password });
    return caller;
  };
  const asUser = async (id: number, username: string): Promise<TestUser> => {
    const caller = await signIn(username, testPassword);
    return Object.assign(caller, { id, username });
  };
  const ending = started.move();
  return {
    url,
    db,
    secrets,
    clock,
    logged,
    visitor,
    signIn,
    root: () => asUser(1, 'root'),
    addUser: async (username, roleNumber = role.user) => {
      const id = await addUser(db, { username, role: roleNumber, password_hash: await passwordHash });
      return asUser(id, username);
    },
    close: () => ending.disposeAsync(),
  };
};
