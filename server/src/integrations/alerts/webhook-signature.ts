import { createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';

/** `whsec_` and base64, as Standard Webhooks writes secrets; any other text counts as its own bytes. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(secretPrefix) ? Buffer.from(secret.slice(secretPrefix.length), 'base64') : Buffer.from(secret);

export interface SignedWebhook {
  /** The same at every try of a message. */
  readonly id: string;
  /** Unix seconds of this try. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of Standard Webhooks: HMAC-SHA-256 over id, timestamp and body. */
export const webhookHeaders = (secret: string, { id, timestamp, body }: SignedWebhook) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
});
