import type { ChannelErrorKind } from '@weir/contract/channel-health';
import type { RelayFailure } from '../../providers/provider.ts';

const byCode = new Map<unknown, ChannelErrorKind>([
  ['upstream_timeout', 'timeout'],
  ['do_request_failed', 'unreachable'],
  ['bad_response_body', 'bad_answer'],
  ['upstream_truncated', 'bad_answer'],
  ['channel_incomplete', 'setup'],
]);

/** The kind of failure of an attempt, as shown for a channel. */
export const failureKind = ({ status, error, refusesAccount, quotesRequest }: RelayFailure): ChannelErrorKind => {
  if (quotesRequest === true) return 'request';
  if (refusesAccount === true || status === 401 || status === 403) return 'account';
  const named = byCode.get(error.code);
  if (named !== undefined) return named;
  if (status === 429) return 'rate_limit';
  if (status === 504 || status === 408) return 'timeout';
  return status < 500 ? 'request' : 'server';
};
