/** An upstream's error before it is classified. */
export interface ReportedError {
  readonly status: number;
  readonly message: string;
  readonly type: string | null;
  readonly code: string | number | null;
}

/** Types and codes that reject a key or an account (wire contract 3.8, provider notes 2.5). */
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
  'incorrect api key',
  'invalid api key',
  'api key not valid',
  'api key not found',
  'api key expired',
  'permission denied',
  // Spark
  'hmac signature does not match',
  // Bedrock
  'the security token included in the request is',
  'the request signature we calculated does not match',
  // Novita
  'not enough balance',
  '已欠费',
];

/** About one model or one member of a request, never about the account. */
const aboutRequest = new Set([404, 422]);
/** Statuses about the account. Messages of all other statuses may quote the request. */
const aboutAccount = new Set([401, 402, 403, 429]);

/** The balance covers smaller requests: one large request must not disable the channel for all (OpenRouter). */
const tooMuchForOne = 'fewer max_tokens';

/** What shows that an upstream rejects this channel's key or account, so that further calls would fail too. */
export interface AccountRefusal {
  /** The phrase of the message; null: the status, type or code. */
  readonly words: string | null;
}

const byItself: AccountRefusal = { words: null };

/**
 * Null: the account is not refused. With a status about the account a phrase may occur anywhere in the message; otherwise
 * the message must begin with it. Any message may quote the request, and no client may disable a channel through the text
 * that it sends: the relay, which has the request, compares the words with it.
 */
export const accountRefusal = ({ status, message, type, code }: ReportedError): AccountRefusal | null => {
  if (status === 401 || names.has(type) || names.has(code)) return byItself;
  if (aboutRequest.has(status)) return null;
  const text = message.toLowerCase();
  if (status === 402) return text.includes(tooMuchForOne) ? null : byItself;
  const words = phrases.find((phrase) => (aboutAccount.has(status) ? text.includes(phrase) : text.startsWith(phrase)));
  return words === undefined ? null : { words };
};
