import { createHash, createHmac } from 'node:crypto';

export interface TencentRequest {
  readonly secretId: string;
  readonly secretKey: string;
  /** Such as `hunyuan`. */
  readonly service: string;
  /** The host that the request is sent to: the proxy's, if the channel's base URL is one. */
  readonly host: string;
  /** Byte for byte as sent. */
  readonly contentType: string;
  /** Such as `ChatCompletions`; absent: the action is not signed, which the vendor accepts too. */
  readonly action?: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly payload: Buffer | string;
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * The `Authorization` header of a TC3-HMAC-SHA256 request: a POST to `/` without a query.
 * Source: Tencent Cloud API 3.0, "Signature v3".
 */
export const signTencent = (request: TencentRequest): string => {
  const { secretId, secretKey, service, timestamp } = request;
  const headers = [
    ['content-type', request.contentType.trim().toLowerCase()],
    ['host', request.host.trim().toLowerCase()],
    ...(request.action === undefined ? [] : [['x-tc-action', request.action.trim().toLowerCase()]]),
  ];
  const names = headers.map(([name]) => name).join(';');
  const lines = headers.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = `POST\n/\n\n${lines}\n${names}\n${sha256(request.payload)}`;
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10);
  const scope = `${date}/${service}/tc3_request`;
  const toSign = `TC3-HMAC-SHA256\n${timestamp}\n${scope}\n${sha256(canonical)}`;
  const key = hmac(hmac(hmac(`TC3${secretKey}`, date), service), 'tc3_request');
  const signature = hmac(key, toSign).toString('hex');
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
};
