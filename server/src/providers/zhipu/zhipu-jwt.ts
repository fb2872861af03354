import { createHmac } from 'node:crypto';

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export interface ZhipuToken {
  /** `id.secret`. */
  readonly key: string;
  /** Unix milliseconds: this vendor's tokens use them, unlike standard JWTs. */
  readonly now: number;
  readonly validMs: number;
}

/** The bearer token of a Zhipu key; null: the key is not of the form `id.secret`. Source: Zhipu v3 SDK. */
export const zhipuToken = ({ key, now, validMs }: ZhipuToken): string | null => {
  const [id, secret, ...more] = key.split('.');
  if (id === undefined || id === '' || secret === undefined || secret === '' || more.length > 0) return null;
  const head = base64url({ alg: 'HS256', sign_type: 'SIGN' });
  const claims = base64url({ api_key: id, exp: now + validMs, timestamp: now });
  const signature = createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url');
  return `${head}.${claims}.${signature}`;
};
