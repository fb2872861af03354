import type { ChannelFault, ProviderChannel } from '../provider.ts';
import { awsTime, signAws } from './aws-signature.ts';

export interface Account {
  readonly kind: 'account';
  readonly region: string;
  /** A Bedrock API key, which is a bearer token; otherwise empty. */
  readonly apiKey: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** For temporary credentials; otherwise empty. */
  readonly sessionToken: string;
}

const keyForms = 'AK|SK|Region, AK|SK|Region|SessionToken or APIKey|Region';

/**
 * The region in the channel's `other` text wins over the key's: it can be edited without the key. A key without parts
 * leaves the account to the channel's config, where One API has it.
 */
export const accountOf = ({ key: own, other, setting = () => '' }: ProviderChannel): Account | ChannelFault => {
  const configured = `${setting('ak')}|${setting('sk')}|${setting('region')}`;
  const key = own.includes('|') || setting('sk') === '' ? own : configured;
  const parts = key.split('|').map((part) => part.trim());
  const [first = '', second = '', third = '', sessionToken = ''] = parts;
  const isApiKey = parts.length < 3;
  const region = other.trim() === '' ? (isApiKey ? second : third) : other.trim();
  if (parts.length > 4 || first === '' || (!isApiKey && second === ''))
    return { kind: 'fault', message: `the key of this channel must be ${keyForms}` };
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/.test(region))
    return { kind: 'fault', message: `the channel has no AWS region: its key must be ${keyForms}` };
  if (isApiKey) return { kind: 'account', region, apiKey: first, accessKey: '', secretKey: '', sessionToken: '' };
  return { kind: 'account', region, apiKey: '', accessKey: first, secretKey: second, sessionToken };
};

/** Calls and lists have hosts of their own. */
export const hostOf = ({ region }: Account, service: 'bedrock' | 'bedrock-runtime'): string =>
  `https://${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

export const contentType = 'application/json';

interface SigningInput {
  readonly method: 'GET' | 'POST';
  readonly host: string;
  readonly path: string;
  /** Sorted and encoded, without its question mark. Absent: none. */
  readonly query?: string;
  readonly body: Buffer;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The headers that prove the account, besides the host and the content type: alternating names and values. */
export const authorization = (account: Account, input: SigningInput): readonly string[] => {
  if (account.apiKey !== '') return ['authorization', `Bearer ${account.apiKey}`];
  const { host, body: payload, now, ...request } = input;
  const own = {
    'x-amz-date': awsTime(now),
    ...(account.sessionToken !== '' && { 'x-amz-security-token': account.sessionToken }),
  };
  const headers = { 'content-type': contentType, host, ...own };
  const signed = signAws({ ...account, ...request, service: 'bedrock', headers, now, payload });
  return [...Object.entries(own).flat(), 'authorization', signed];
};
