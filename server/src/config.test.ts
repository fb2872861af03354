import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weir-config-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const read = (env: Record<string, string | undefined> = {}) => readConfig({ DATA_DIR: dir, ...env });

test('an empty environment means the documented defaults', () => {
  const { secretKey, ...config } = read();
  expect(config).toEqual({
    channelTestMinutes: 0,
    channelTestPauseSeconds: 0,
    testPrompt: 'Output only your specific model name with no additional text.',
    watchesSuccess: false,
    successCalls: 10,
    successLeast: 0.8,
    port: 3000,
    host: undefined,
    dataDir: dir,
    databaseUrl: undefined,
    previousSecretKey: undefined,
    initialRootPassword: undefined,
    initialRootToken: undefined,
    initialRootAccessToken: undefined,
    trustedProxies: [],
    privateUpstreams: 'allow',
    httpsProxy: undefined,
    httpProxy: undefined,
    noProxy: undefined,
    logLevel: 'info',
    nodeName: 'main',
    workers: 1,
    githubUrl: 'https://github.com',
    releasesUrl: undefined,
    larkUrl: 'https://open.feishu.cn',
    turnstileUrl: 'https://challenges.cloudflare.com',
    memoryMb: undefined,
    memoryUserMb: undefined,
    memoryCallMb: undefined,
    bodyMaxMb: undefined,
    answerMaxMb: undefined,
    eventMaxMb: undefined,
    contentMaxMb: undefined,
    telemetryUrl: undefined,
    telemetryFormat: 'http/protobuf',
    tracedShare: 1,
    serviceName: 'weir',
    logSinkUrl: undefined,
    archiveDir: undefined,
    archiveAfterMonths: 12,
    drainSeconds: 5,
  });
  expect(secretKey).toHaveLength(32);
  expect(read({ PORT: ' ', HOST: '', LOG_LEVEL: '' })).toEqual({ ...config, secretKey });
});

test('the old names are understood where they mean the same, and the new ones win', () => {
  const postgres = 'postgres://user:secret@db/weir';
  const sessionSecret = 'a session secret of at least 32 characters';
  const old = readConfig({ SQLITE_PATH: join(dir, 'one-api.db?_busy_timeout=5000'), SESSION_SECRET: sessionSecret });
  expect(old).toMatchObject({ dataDir: dir, databaseUrl: undefined, secretKey: Buffer.from(sessionSecret) });
  expect(read({ SQL_DSN: postgres, SESSION_SECRET: sessionSecret }).databaseUrl).toBe(postgres);
  expect(read({ SQLITE_PATH: '/elsewhere/one-api.db' }).dataDir).toBe(dir);
  expect(() => read({ SQL_DSN: 'root:123456@tcp(localhost:3306)/oneapi' })).toThrow(
    'SQL_DSN must be a postgres:// URL',
  );
});

test("root's password is taken as it is, blanks at its ends included", () => {
  expect(read({ INITIAL_ROOT_PASSWORD: ' eight or more ' }).initialRootPassword).toBe(' eight or more ');
  expect(read({ INITIAL_ROOT_PASSWORD: '  ' }).initialRootPassword).toBeUndefined();
  expect(() => read({ INITIAL_ROOT_PASSWORD: 'seven77' })).toThrow(
    'INITIAL_ROOT_PASSWORD must have 8 to 128 characters',
  );
});

test('other values are read without the blanks around them', () => {
  const token = 'a'.repeat(48);
  expect(
    read({
      PORT: ' 8080 ',
      HOST: ' 127.0.0.1 ',
      INITIAL_ROOT_TOKEN: ` sk-${token} `,
      TRUSTED_PROXIES: ' 10.0.0.0/8, ::1 ,',
      PRIVATE_UPSTREAMS: '192.168.0.0/16',
      GITHUB_URL: 'https://code.example/',
      ENABLE_METRIC: ' true',
      METRIC_QUEUE_SIZE: '20',
      METRIC_SUCCESS_RATE_THRESHOLD: '.95',
    }),
  ).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    initialRootToken: token,
    trustedProxies: ['10.0.0.0/8', '::1'],
    privateUpstreams: ['192.168.0.0/16'],
    githubUrl: 'https://code.example',
    watchesSuccess: true,
    successCalls: 20,
    successLeast: 0.95,
  });
});

test.each([
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80a'],
  ['DATABASE_URL', 'mysql://db'],
  ['SECRET_KEY', 'short'],
  ['INITIAL_ROOT_TOKEN', 'with-dash-in-it-and-long'],
  ['INITIAL_ROOT_ACCESS_TOKEN', 'short'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', 'proxy.example'],
  ['PRIVATE_UPSTREAMS', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['NODE_NAME', 'a b'],
  ['ARCHIVE_AFTER_MONTHS', '-1'],
  ['GITHUB_URL', 'code.example'],
  ['RELEASES_URL', 'releases'],
  ['LARK_URL', 'ftp://lark.example'],
  ['TURNSTILE_URL', 'challenges.example'],
  ['ENABLE_METRIC', 'yes'],
  ['METRIC_QUEUE_SIZE', '0'],
  ['METRIC_SUCCESS_RATE_THRESHOLD', '80'],
])('%s=%s is refused by name, without its value where that is a secret', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name} must`));
});

test('R22 sizes are whole numbers of MiB', () => {
  expect(read({ BODY_MAX_MB: '32', MEMORY_MB: '256' })).toMatchObject({ bodyMaxMb: 32, memoryMb: 256 });
  for (const wrong of ['0', '-1', '1.5', '20MB'])
    expect(() => read({ BODY_MAX_MB: wrong })).toThrow(/^BODY_MAX_MB must be/);
});
