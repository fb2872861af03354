import { createHash, createPrivateKey, createSign, type KeyObject } from 'node:crypto';
import { isObject, parseJson, textAt } from '../../conversation/json.ts';
import { readAccessToken } from '../access-token.ts';
import type { ChannelFault, CredentialExchange } from '../provider.ts';

/** A Google service account, in the JSON format of the Google Cloud console. */
export interface ServiceAccount {
  readonly kind: 'account';
  readonly projectId: string;
  readonly email: string;
  readonly keyId: string;
  /** PEM. */
  readonly privateKey: string;
  readonly tokenUrl: URL;
}

const fault = (message: string): ChannelFault => ({ kind: 'fault', message });

/** Reads the JSON text of a service account. */
export const readServiceAccount = (text: string): ServiceAccount | ChannelFault => {
  const parsed = parseJson(text);
  if (!isObject(parsed)) return fault('the key of this channel has no service account JSON');
  const [email, privateKey] = [textAt(parsed, 'client_email'), textAt(parsed, 'private_key')];
  const tokenUrl = URL.parse(textAt(parsed, 'token_uri') || 'https://oauth2.googleapis.com/token');
  if (email === '' || privateKey === '') return fault('the service account has no client_email or no private_key');
  if (tokenUrl === null || !/^https?:$/.test(tokenUrl.protocol)) return fault('the service account has no token_uri');
  const [projectId, keyId] = [textAt(parsed, 'project_id'), textAt(parsed, 'private_key_id')];
  return { kind: 'account', projectId, email, keyId, privateKey, tokenUrl };
};

const scope = 'https://www.googleapis.com/auth/cloud-platform';
const lifeSeconds = 3600;
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The signed assertion for a token request. Source: Google identity, "Using OAuth 2.0 for server to server". */
export const assertionOf = ({ email, keyId, tokenUrl }: ServiceAccount, key: KeyObject, now: number): string => {
  const iat = Math.floor(now / 1000);
  const claims = { iss: email, scope, aud: tokenUrl.href, iat, exp: iat + lifeSeconds };
  const content = `${encoded({ alg: 'RS256', typ: 'JWT', ...(keyId !== '' && { kid: keyId }) })}.${encoded(claims)}`;
  return `${content}.${createSign('RSA-SHA256').update(content).sign(key, 'base64url')}`;
};

/** A token is valid for an hour; it is renewed five minutes early. */
const read = readAccessToken(300_000);

const readKey = (text: string): KeyObject | null => {
  try {
    const key = createPrivateKey(text);
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    return null;
  }
};

/** The token request of a service account. */
export const exchangeOf = (account: ServiceAccount): CredentialExchange | ChannelFault => {
  const { email, privateKey, tokenUrl } = account;
  const key = readKey(privateKey);
  if (key === null) return fault('the private_key of the service account is not an RSA key');
  return {
    name: [tokenUrl.href, email, createHash('sha256').update(privateKey).digest('base64')].join('\n'),
    request: (now) => ({
      origin: tokenUrl.origin,
      path: tokenUrl.pathname + tokenUrl.search,
      method: 'POST',
      headers: ['content-type', 'application/x-www-form-urlencoded', 'accept', 'application/json'],
      body: Buffer.from(
        new URLSearchParams({
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          assertion: assertionOf(account, key, now),
        }).toString(),
      ),
    }),
    read,
  };
};
