import { availableParallelism } from 'node:os';
import { isProxyAddress } from '@weir/contract/channel-config';
import type { TelemetryFormat } from './integrations/otlp.ts';
import { isRange } from './http/ranges.ts';

/** Whether channels and services that settings name may have private addresses; a list names the only private ranges allowed. */
export type PrivateUpstreams = 'allow' | 'deny' | readonly string[];

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export const readPort = (text = '3000'): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error('must be a port number from 0 to 65535');
  return port;
};

export const readRanges = (text = ''): readonly string[] => {
  const ranges = text.split(',').map((range) => range.trim());
  const listed = ranges.filter((range) => range !== '');
  const wrong = listed.find((range) => !isRange(range));
  if (wrong !== undefined)
    throw new Error(`must be a comma-separated list of addresses or CIDR ranges; "${wrong}" is neither`);
  return listed;
};

export const readDatabaseUrl = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  if (/^(?:mysql|mariadb):|@tcp\(/.test(text)) {
    throw new Error(
      'must be a postgres:// URL. A MySQL database can be imported: npm run import -- --from <this text>, with SQL_DSN left unset (docs/moving-from-one-api.md)',
    );
  }
  if (!/^postgres(?:ql)?:\/\/./.test(text) || !URL.canParse(text)) {
    throw new Error('must be a postgres:// URL; leave it unset for SQLite');
  }
  return text;
};

export const readKeyText = (text: string | undefined): Buffer | undefined => {
  if (text === undefined) return undefined;
  const key = /^(?:[0-9a-f]{2}){32,}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'utf8');
  if (key.length < 32) throw new Error('must have at least 32 characters, or 64 hexadecimal digits');
  return key;
};

export const readRootPassword = (text: string | undefined): string | undefined => {
  if (text !== undefined && ([...text].length < 8 || [...text].length > 128))
    throw new Error('must have 8 to 128 characters');
  return text;
};

export const readRootToken = (text: string | undefined): string | undefined => {
  const key = text?.replace(/^sk-/, '');
  if (key !== undefined && !/^[0-9A-Za-z]{16,128}$/.test(key)) {
    throw new Error('must be 16 to 128 letters and digits, with or without sk- in front');
  }
  return key;
};

export const readAccessToken = (text: string | undefined): string | undefined => {
  if (text !== undefined && !/^[\x21-\x7e]{16,128}$/.test(text))
    throw new Error('must be 16 to 128 characters without spaces');
  return text;
};

export const readLogLevel = (text = 'info'): string => {
  if (!logLevels.includes(text)) throw new Error(`must be one of ${logLevels.join(', ')}`);
  return text;
};

export const readPrivateUpstreams = (text = 'allow'): PrivateUpstreams =>
  text === 'allow' || text === 'deny' ? text : readRanges(text);

export const readUrl = (text: string): string => {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw new Error('must be an http or https address');
  return text.replace(/\/+$/, '');
};

export const readOptionalUrl = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : readUrl(text);

/** The message must not repeat a password. */
export const readLogSink = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || !/^(?:file|https?|s3|s3\+http|syslogs?):$/.test(new URL(text).protocol))
    throw new Error('must be a file:, http:, https:, s3:, s3+http:, syslog: or syslogs: address');
  return text;
};

export const readTelemetryFormat = (text = 'http/protobuf'): TelemetryFormat => {
  if (text !== 'http/protobuf' && text !== 'http/json') throw new Error('must be http/protobuf or http/json');
  return text;
};

export const readProxy = (text: string | undefined): string | undefined => {
  // The message must not repeat a password.
  if (text !== undefined && !isProxyAddress(text))
    throw new Error('must be http(s)://host:port, with or without an account');
  return text;
};

export const readCount =
  (max: number) =>
  (text = '0'): number => {
    const count = Number(text);
    if (!/^\d+$/.test(text) || count > max) throw new Error(`must be a whole number from 0 to ${max}`);
    return count;
  };

/** More than any machine has use for. */
const workersMax = 256;

export const readWorkers = (text = '1'): number => {
  if (text === 'auto') return availableParallelism();
  const workers = Number(text);
  if (!/^\d+$/.test(text) || workers < 1 || workers > workersMax)
    throw new Error(`must be a whole number from 1 to ${workersMax}, or auto`);
  return workers;
};

/** Long enough for any balancer to notice. */
const drainSecondsMax = 300;

export const readDrainSeconds = (text = '5'): number => readCount(drainSecondsMax)(text);

export const readSwitch = (text = 'false'): boolean => {
  if (text !== 'true' && text !== 'false') throw new Error('must be true or false');
  return text === 'true';
};

export const readWindow = (text = '10'): number => {
  const calls = Number(text);
  if (!/^\d+$/.test(text) || calls < 1 || calls > 1000) throw new Error('must be a whole number from 1 to 1000');
  return calls;
};

export const readShare = (text = '0.8'): number => {
  const share = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || share > 1) throw new Error('must be a number from 0 to 1');
  return share;
};

/** Beyond a terabyte nothing is meant. */
const megabytesMax = 1_048_576;

export const readMegabytes = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const size = Number(text);
  if (!/^\d+$/.test(text) || size < 1 || size > megabytesMax)
    throw new Error(`must be a whole number from 1 to ${megabytesMax}`);
  return size;
};

export const readNodeName = (text = 'main'): string => {
  if (!/^[\w.-]{1,64}$/.test(text)) throw new Error('must be 1 to 64 letters, digits, dots, dashes or underscores');
  return text;
};
