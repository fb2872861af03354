import { createHash, createHmac } from 'node:crypto';

export interface AwsRequest {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** Such as `bedrock`. */
  readonly service: string;
  readonly method: string;
  /** The path as sent, without a query: it is signed URI-encoded once more. For S3 the path before it was encoded. */
  readonly path: string;
  /** Sorted and encoded, without its question mark. Absent: none. */
  readonly query?: string;
  /** The signed headers, `host` included; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unix milliseconds. */
  readonly now: number;
  readonly payload: Buffer | string;
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Encodes everything but letters, digits, `-`, `_`, `.` and `~`: stricter than `encodeURIComponent`. */
export const awsEncoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** `20150830T123600Z`, the format of `x-amz-date`. */
export const awsTime = (now: number): string => new Date(now).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');

/** The `Authorization` header. Source: AWS General Reference, "Signature Version 4 signing process". */
export const signAws = (request: AwsRequest): string => {
  const { accessKey, secretKey, region, service, method, path, query = '', now, payload } = request;
  const headers = Object.entries(request.headers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = headers.map(([name]) => name).join(';');
  const lines = headers.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, ' ')}\n`).join('');
  const encodedPath = path.split('/').map(awsEncoded).join('/');
  const canonical = `${method}\n${encodedPath}\n${query}\n${lines}\n${names}\n${sha256(payload)}`;
  const time = awsTime(now);
  const scope = [time.slice(0, 8), region, service, 'aws4_request'];
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope.join('/')}\n${sha256(canonical)}`;
  const key = scope.reduce<Buffer | string>(hmac, `AWS4${secretKey}`);
  const signature = hmac(key, toSign).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
};
