import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { StartError } from '../../errors.ts';
import { awsEncoded, awsTime, signAws } from '../../providers/bedrock/aws-signature.ts';
import { type Outbound, OutboundError } from '../outbound.ts';
import type { LogBatch, LogSink } from './log-sink.ts';

const compress = promisify(gzip);

/** An object for each batch: a request costs as much for a few rows as for many. */
const rowsPerBatch = 10_000;
const waitSeconds = 60;
const timeoutMs = 60_000;
const idDigits = 16;
const shownMax = 200;

interface Place {
  readonly origin: string;
  readonly host: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Bucket and prefix, with a slash in front and none behind; not encoded. */
  readonly path: string;
}

const placeOf = (url: URL): Place => {
  const [accessKey, secretKey] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const path = decodeURIComponent(url.pathname).replace(/\/+$/, '');
  if (url.hostname === '' || accessKey === '' || secretKey === '' || path.length < 2)
    throw new StartError('LOG_SINK_URL must be s3://access-key:secret-key@host/bucket/prefix?region=…');
  const origin = `${url.protocol === 's3:' ? 'https' : 'http'}://${url.host}`;
  // A port that is the protocol's own is in no header.
  return {
    origin,
    host: new URL(origin).host,
    region: url.searchParams.get('region') ?? 'us-east-1',
    accessKey,
    secretKey,
    path,
  };
};

/** By its first record: a batch that comes again begins with the same one, and replaces what is there. */
const objectName = ({ ids, times }: LogBatch): string => {
  const [day = ''] = new Date((times[0] ?? 0) * 1000).toISOString().split('T');
  return `${day.replaceAll('-', '/')}/${String(ids[0] ?? 0).padStart(idDigits, '0')}.jsonl.gz`;
};

/** A refusal repeats the key's id and the signed text: its code says enough. */
const reasonOf = (text: string): string => /<Code>([\w.]+)<\/Code>/.exec(text)?.[1] ?? text.slice(0, shownMax);

/**
 * `s3://access-key:secret-key@host/bucket/prefix?region=eu-central-1`, with `s3+http` without TLS: each batch is an object
 * of compressed JSON lines, `prefix/2026/11/29/0000000000000001.jsonl.gz`. Source: Amazon S3 API Reference, PutObject;
 * buckets are addressed by path, as all such stores take it.
 */
export const openObjectSink = (url: URL, outbound: Outbound, clock: { now(): number }): LogSink => {
  const { origin, host, path, ...account } = placeOf(url);
  return {
    rowsPerBatch,
    waitSeconds,
    send: async (batch) => {
      const bytes = await compress(batch.lines.map((line) => `${line}\n`).join(''));
      const now = clock.now();
      const digest = createHash('sha256').update(bytes).digest('hex');
      const dated = { 'x-amz-content-sha256': digest, 'x-amz-date': awsTime(now) };
      const key = `${path}/${objectName(batch)}`;
      const request = { service: 's3', method: 'PUT', path: key, headers: { host, ...dated }, now, payload: bytes };
      const headers = {
        ...dated,
        authorization: signAws({ ...account, ...request }),
        'content-type': 'application/gzip',
      };
      const target = `${origin}${key.split('/').map(awsEncoded).join('/')}`;
      const { status, text } = await outbound({ method: 'PUT', url: target, headers, bytes, timeoutMs });
      if (status !== 200) throw new OutboundError(`status ${status}: ${reasonOf(text)}`);
    },
  };
};
