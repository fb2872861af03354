/** What an upstream said, before it is put into the client's terms. */
export interface UpstreamWords {
  readonly status: number;
  readonly message: string;
  readonly type: string | null;
  readonly code: string | number | null;
}

/** Types and codes by which vendors refuse a key or an account (wire contract 3.8, provider notes 2.5). */
const names: ReadonlySet<unknown> = new Set([
  'insufficient_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
  'invalid_api_key',
  'account_deactivated',
  'exceeded_current_quota_error',
  'InvalidApiKey',
  'Arrearage',
]);

const phrases = [
  'your access was terminated',
  'violation of our policies',
  'your credit balance is too low',
  'organization has been disabled',
  'organization has been restricted',
  'api key not valid',
  'api key expired',
  'permission denied',
  '已欠费',
];

/** About one model or one member of a request, never about the account. */
const aboutRequest = new Set([404, 422]);
/** Statuses about who asks. Every other one may come with words of the request in its message. */
const aboutAccount = new Set([401, 402, 403, 429]);

/** The balance covers smaller requests: one caller's limit must not close the channel for all (OpenRouter). */
const tooMuchForOne = 'fewer max_tokens';

/**
 * Whether an upstream refuses this channel's key or account, so that every further call would fail too. Phrases count
 * anywhere only where the status is about the account; else a message must begin with one: errors quote what callers
 * sent, and no caller may disable a channel by words of his own.
 */
export const refusesAccount = ({ status, message, type, code }: UpstreamWords): boolean => {
  if (status === 401 || names.has(type) || names.has(code)) return true;
  if (aboutRequest.has(status)) return false;
  const words = message.toLowerCase();
  if (status === 402) return !words.includes(tooMuchForOne);
  return phrases.some((phrase) => (aboutAccount.has(status) ? words.includes(phrase) : words.startsWith(phrase)));
};
