import type { RelayFailure } from '../../providers/provider.ts';

/** How a call failed before the upstream answered. */
export type UpstreamFault =
  /** No connection, for another reason than the three below. */
  | 'unreachable'
  | 'refused'
  | 'unknown_host'
  | 'tls'
  /** The forward proxy did not connect. */
  | 'proxy'
  /** The address is one that upstreams must not have. */
  | 'blocked'
  | 'timeout'
  /** The connection broke within an answer, or the answer broke the rules of HTTP. */
  | 'broken'
  | 'too_large'
  /** The answer is compressed in an unknown way, although the request excluded that. */
  | 'encoded'
  /** This side ended the call. */
  | 'aborted';

/** The code of a system error; empty: it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** What the codes of errors begin with that prevent a connection. */
const causes = [
  ['refused', /^ECONNREFUSED$/],
  ['unknown_host', /^(?:ENOTFOUND|EAI_|ENODATA)/],
  ['tls', /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/],
] as const;

/** Why no connection came about. */
export const causeOf = (error: unknown): UpstreamFault =>
  causes.find(([, codes]) => codes.test(codeOf(error)))?.[0] ?? 'unreachable';

/** Faults whose text has the code of their cause. */
const named: ReadonlySet<UpstreamFault> = new Set(['tls', 'proxy']);

/** A transport failure. The message is for people and names neither address nor key; `cause` is for the log. */
export class UpstreamError extends Error {
  readonly fault: UpstreamFault;

  constructor(fault: UpstreamFault, cause?: unknown) {
    const code = codeOf(cause);
    super(named.has(fault) && code !== '' ? `${texts[fault]} (${code})` : texts[fault], { cause });
    this.name = 'UpstreamError';
    this.fault = fault;
  }
}

const texts: Record<UpstreamFault, string> = {
  unreachable: 'the upstream is unreachable',
  refused: 'the upstream is unreachable: it refused the connection',
  unknown_host: 'the upstream is unreachable: its host name is unknown',
  tls: 'the upstream is unreachable: the TLS connection failed',
  proxy: 'the upstream is unreachable: the proxy did not connect to it',
  blocked: 'the address of the upstream is not allowed',
  timeout: 'the upstream timed out',
  broken: 'the upstream connection was lost',
  too_large: 'the upstream response is too large',
  encoded: 'the upstream sent an unrequested compressed response',
  aborted: 'the upstream request was cancelled',
};

/** The failure as the client sees it. An upstream that has not answered yet may be replaced by another channel. */
export const failureOf = ({ fault, message }: UpstreamError): RelayFailure => {
  const error = { message, type: 'server_error', param: null };
  if (fault === 'timeout') return { status: 504, error: { ...error, code: 'upstream_timeout' }, retryable: true };
  if (fault === 'too_large' || fault === 'encoded') {
    return { status: 502, error: { ...error, code: 'bad_response_body' }, retryable: false };
  }
  return { status: 502, error: { ...error, code: 'do_request_failed' }, retryable: fault !== 'aborted' };
};
