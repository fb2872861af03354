import { dirname, resolve } from 'node:path';
import type { TelemetryFormat } from './integrations/otlp.ts';
import {
  type PrivateUpstreams,
  readPort,
  readRanges,
  readDatabaseUrl,
  readKeyText,
  readRootPassword,
  readRootToken,
  readAccessToken,
  readLogLevel,
  readPrivateUpstreams,
  readUrl,
  readCount,
  readDrainSeconds,
  readSwitch,
  readWindow,
  readShare,
  readMegabytes,
  readNodeName,
  readWorkers,
  readOptionalUrl,
  readLogSink,
  readTelemetryFormat,
  readProxy,
} from './config-values.ts';

/** The environment, read once. Everything else an operator can set is an option in the database. */
export interface Config {
  readonly port: number;
  /** Undefined: every address of this machine. */
  readonly host: string | undefined;
  readonly dataDir: string;
  /** A PostgreSQL URL; undefined: SQLite in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** At least 32 bytes; seals secrets and keys look-ups. */
  readonly secretKey: Buffer;
  /** The key before, while the secret key is changed. */
  readonly previousSecretKey: Buffer | undefined;
  readonly initialRootPassword: string | undefined;
  /** A relay key for root, made at the first start; without `sk-`. */
  readonly initialRootToken: string | undefined;
  readonly initialRootAccessToken: string | undefined;
  /** CIDR ranges of proxies whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  readonly privateUpstreams: PrivateUpstreams;
  /** Addresses of forward proxies for calls of upstreams; undefined: none. */
  readonly httpsProxy: string | undefined;
  readonly httpProxy: string | undefined;
  /** Hosts that are reached without a proxy. */
  readonly noProxy: string | undefined;
  readonly logLevel: string;
  /** Names this process among several on one PostgreSQL. */
  readonly nodeName: string;
  /** Relay processes on one port. */
  readonly workers: number;
  /** How long a process that is to stop goes on taking calls, so that balancers notice first. */
  readonly drainSeconds: number;
  /** The code host that people sign in with; a self-hosted one has its own address. */
  readonly githubUrl: string;
  /** Where the latest release of this program is described, in GitHub's format; undefined: of its repository, if known. */
  readonly releasesUrl: string | undefined;
  /** Lark's open platform, for sign-in; the international one has its own address. */
  readonly larkUrl: string;
  /** Minutes between automatic tests of all channels; 0: none. */
  readonly channelTestMinutes: number;
  /** Between two of these tests. */
  readonly channelTestPauseSeconds: number;
  /** What such a test asks the model. */
  readonly testPrompt: string;
  /** Whether channels are disabled whose calls succeed too rarely. */
  readonly watchesSuccess: boolean;
  /** The latest calls of a channel that are looked at for it. */
  readonly successCalls: number;
  /** From 0 to 1. */
  readonly successLeast: number;
  /** Where the human-verification service checks what its widget gave. */
  readonly turnstileUrl: string;
  /** MiB that the relayed calls of the process, of one user, and one call may hold; undefined: `memory-limits.ts` decides. */
  readonly memoryMb: number | undefined;
  readonly memoryUserMb: number | undefined;
  readonly memoryCallMb: number | undefined;
  /** MiB of a body, a whole answer, an event, and of what a call has fetched; undefined: `limits.ts` decides. */
  readonly bodyMaxMb: number | undefined;
  readonly answerMaxMb: number | undefined;
  readonly eventMaxMb: number | undefined;
  readonly contentMaxMb: number | undefined;
  /** Where traces and metrics of calls go by OTLP; undefined: nowhere. */
  readonly telemetryUrl: string | undefined;
  readonly telemetryFormat: TelemetryFormat;
  /** Share of the traces that begin here, from 0 to 1; those of callers are kept as the callers say. */
  readonly tracedShare: number;
  readonly serviceName: string;
  /** Where the log goes besides the database; undefined: nowhere. */
  readonly logSinkUrl: string | undefined;
  /** Undefined: no month is archived. */
  readonly archiveDir: string | undefined;
  readonly archiveAfterMonths: number;
}

/** One environment variable. Only its entry here names it. */
export interface Variable<Value> {
  readonly name: string;
  /** What One API calls it, where it means the same. */
  readonly oldName?: string;
  /** The documented default, in words. */
  readonly fallback: string;
  readonly doc: string;
  /** Reads the text, undefined when absent; throws with what would be right. */
  readonly read: (text: string | undefined) => Value;
  /** Turns the text of the old name into that of the new one, where they are not the same. */
  readonly fromOld?: (text: string) => string;
  /** Blanks at the ends belong to the value. */
  readonly verbatim?: true;
}

/** Every environment variable. A test compares docs/configuration.md with them. */
export const variables = {
  port: { name: 'PORT', fallback: '3000', doc: 'Port to listen on.', read: readPort },
  host: { name: 'HOST', fallback: 'all addresses', doc: 'Address to listen on.', read: (text) => text },
  dataDir: {
    name: 'DATA_DIR',
    oldName: 'SQLITE_PATH',
    fallback: './data',
    doc: 'Directory of the database file and the secret key. With SQLITE_PATH: the directory of that file.',
    read: (text = './data') => text,
    fromOld: (text) => dirname(text.replace(/\?.*$/, '')),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    oldName: 'SQL_DSN',
    fallback: 'SQLite in the data directory',
    doc: 'PostgreSQL URL (15 or newer). Required for several nodes.',
    read: readDatabaseUrl,
  },
  secretKey: {
    name: 'SECRET_KEY',
    oldName: 'SESSION_SECRET',
    fallback: 'generated in the data directory',
    doc: 'Encrypts stored keys. Required with DATABASE_URL.',
    read: readKeyText,
  },
  previousSecretKey: {
    name: 'PREVIOUS_SECRET_KEY',
    fallback: 'none',
    doc: 'The secret key before, while it is changed: what it sealed is sealed anew at the start.',
    read: readKeyText,
  },
  initialRootPassword: {
    name: 'INITIAL_ROOT_PASSWORD',
    fallback: 'random, printed once',
    doc: 'First password of root.',
    read: readRootPassword,
    verbatim: true,
  },
  initialRootToken: {
    name: 'INITIAL_ROOT_TOKEN',
    fallback: 'none',
    doc: 'Unlimited token created for root at the first start.',
    read: readRootToken,
  },
  initialRootAccessToken: {
    name: 'INITIAL_ROOT_ACCESS_TOKEN',
    fallback: 'none',
    doc: "Root's system access token, set at the first start.",
    read: readAccessToken,
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    fallback: 'none',
    doc: 'Proxies whose X-Forwarded-* headers are trusted.',
    read: readRanges,
  },
  privateUpstreams: {
    name: 'PRIVATE_UPSTREAMS',
    fallback: 'allow',
    doc: 'Private addresses of channels and other configured services: allow, deny, or the allowed ranges.',
    read: readPrivateUpstreams,
  },
  httpsProxy: {
    name: 'HTTPS_PROXY',
    oldName: 'https_proxy',
    fallback: 'none',
    doc: 'Forward proxy for https upstreams, as http(s)://user:password@host:port. A channel may have its own.',
    read: readProxy,
  },
  httpProxy: {
    name: 'HTTP_PROXY',
    oldName: 'http_proxy',
    fallback: 'none',
    doc: 'The same for http upstreams. This machine itself is always reached directly.',
    read: readProxy,
  },
  noProxy: {
    name: 'NO_PROXY',
    oldName: 'no_proxy',
    fallback: 'none',
    doc: 'Hosts that are reached directly: names with their subdomains, addresses, ranges, or *.',
    read: (text) => text,
  },
  logLevel: { name: 'LOG_LEVEL', fallback: 'info', doc: 'Minimum log level.', read: readLogLevel },
  nodeName: {
    name: 'NODE_NAME',
    fallback: 'main',
    doc: 'Name of this process among several on one PostgreSQL.',
    read: readNodeName,
  },
  workers: {
    name: 'WORKERS',
    fallback: '1',
    doc: 'Relay processes on the port: a number, or auto for one per core. More than one needs DATABASE_URL.',
    read: readWorkers,
  },
  drainSeconds: {
    name: 'DRAIN_SECONDS',
    fallback: '5',
    doc: 'Seconds for which calls are still taken after SIGTERM, while readiness is refused.',
    read: readDrainSeconds,
  },
  githubUrl: {
    name: 'GITHUB_URL',
    fallback: 'https://github.com',
    doc: 'Address of the code host for sign-in.',
    read: (text = 'https://github.com') => readUrl(text),
  },
  releasesUrl: {
    name: 'RELEASES_URL',
    fallback: 'none while package.json names no repository',
    doc: 'GitHub releases/latest URL for the update check.',
    read: (text) => (text === undefined ? undefined : readUrl(text)),
  },
  larkUrl: {
    name: 'LARK_URL',
    fallback: 'https://open.feishu.cn',
    doc: "Address of Lark's open platform for sign-in.",
    read: (text = 'https://open.feishu.cn') => readUrl(text),
  },
  channelTestMinutes: {
    name: 'CHANNEL_TEST_FREQUENCY',
    fallback: 'never',
    doc: 'Minutes between tests of all channels.',
    read: readCount(100_000),
  },
  channelTestPauseSeconds: {
    name: 'POLLING_INTERVAL',
    fallback: '0',
    doc: 'Seconds between two channels in a test of all channels.',
    read: readCount(3600),
  },
  testPrompt: {
    name: 'TEST_PROMPT',
    fallback: "asks for the model's name",
    doc: 'Prompt of a channel test.',
    read: (text = 'Output only your specific model name with no additional text.') => text,
  },
  watchesSuccess: {
    name: 'ENABLE_METRIC',
    fallback: 'false',
    doc: 'Disables channels with a low success rate.',
    read: readSwitch,
  },
  successCalls: {
    name: 'METRIC_QUEUE_SIZE',
    fallback: '10',
    doc: 'Number of latest calls in the success rate.',
    read: readWindow,
  },
  successLeast: {
    name: 'METRIC_SUCCESS_RATE_THRESHOLD',
    fallback: '0.8',
    doc: 'Minimum success rate, from 0 to 1.',
    read: readShare,
  },
  turnstileUrl: {
    name: 'TURNSTILE_URL',
    fallback: 'https://challenges.cloudflare.com',
    doc: 'Address of the human-verification service.',
    read: (text = 'https://challenges.cloudflare.com') => readUrl(text),
  },
  memoryMb: {
    name: 'MEMORY_MB',
    fallback: 'a quarter of the memory of the machine or container, 128 to 1024',
    doc: 'MiB that all relayed calls of this process may hold.',
    read: readMegabytes,
  },
  memoryUserMb: {
    name: 'MEMORY_USER_MB',
    fallback: 'half of MEMORY_MB',
    doc: 'MiB that all calls of one user may hold.',
    read: readMegabytes,
  },
  memoryCallMb: {
    name: 'MEMORY_CALL_MB',
    fallback: '192, at most MEMORY_USER_MB',
    doc: 'MiB that one call may hold.',
    read: readMegabytes,
  },
  bodyMaxMb: {
    name: 'BODY_MAX_MB',
    fallback: '50',
    doc: 'MiB of the body of a relayed call, decoded.',
    read: readMegabytes,
  },
  answerMaxMb: {
    name: 'ANSWER_MAX_MB',
    fallback: '64',
    doc: 'MiB of an answer that arrives whole.',
    read: readMegabytes,
  },
  eventMaxMb: {
    name: 'EVENT_MAX_MB',
    fallback: '64',
    doc: 'MiB of one event of a stream.',
    read: readMegabytes,
  },
  contentMaxMb: {
    name: 'CONTENT_MAX_MB',
    fallback: '32',
    doc: 'MiB, in base64, that a call may have fetched from the URLs of its content.',
    read: readMegabytes,
  },
  telemetryUrl: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: 'none',
    doc: 'OTLP collector for traces and metrics of calls. OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT, _COMPRESSION and _CERTIFICATE hold too.',
    read: readOptionalUrl,
  },
  telemetryFormat: {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    fallback: 'http/protobuf',
    doc: 'Format of OTLP: http/protobuf or http/json.',
    read: readTelemetryFormat,
  },
  tracedShare: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    doc: 'Share of traces that are kept, from 0 to 1, of calls that bring no traceparent with a decision.',
    read: (text = '1') => readShare(text),
  },
  serviceName: {
    name: 'OTEL_SERVICE_NAME',
    fallback: 'weir',
    doc: 'Name of this service in traces and metrics.',
    read: (text = 'weir') => text,
  },
  logSinkUrl: {
    name: 'LOG_SINK_URL',
    fallback: 'none',
    doc: 'Where records of the log are sent too: a file:, http(s):, s3:, syslog: or syslogs: address.',
    read: readLogSink,
  },
  archiveDir: {
    name: 'ARCHIVE_DIR',
    fallback: 'none',
    doc: 'Folder for archives of closed months. Without it nothing leaves the ledger.',
    read: (text) => (text === undefined || text === '' ? undefined : resolve(text)),
  },
  archiveAfterMonths: {
    name: 'ARCHIVE_AFTER_MONTHS',
    fallback: '12',
    doc: 'Closed months that stay in the ledger.',
    read: (text = '12') => readCount(1200)(text),
  },
} as const satisfies Record<keyof Config, Variable<unknown>>;
