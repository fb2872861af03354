import { createHmac } from 'node:crypto';

export interface SparkRequest {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** `wss://host:port` or `ws://host:port`. */
  readonly origin: string;
  /** Such as `/v3.5/chat`. */
  readonly path: string;
  /** Unix milliseconds. The vendor rejects a signature more than 300 s off its own clock. */
  readonly now: number;
}

/**
 * The signed address of a Spark WebSocket: its query carries the signature over host, date and request line.
 * Source: iFlytek open platform, "general URL authentication".
 */
export const signSpark = ({ apiKey, apiSecret, origin, path, now }: SparkRequest): string => {
  const { host } = new URL(origin);
  const date = new Date(now).toUTCString();
  const signed = `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`;
  const signature = createHmac('sha256', apiSecret).update(signed).digest('base64');
  const authorization = Buffer.from(
    `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
  ).toString('base64');
  return `${origin}${path}?${new URLSearchParams({ authorization, date, host }).toString()}`;
};
