import type { IncomingHttpHeaders } from 'node:http';
import { role } from '@weir/contract/roles';
import type { UpstreamRequest } from '../../providers/provider.ts';
import type { AuditEntry } from '../../store/audit.ts';
import type { AuditNotes } from '../../store/audit-notes.ts';
import type { ClientRequest } from '../client/client-request.ts';
import { type CallMemory, MemoryError } from '../memory/memory-budget.ts';
import type { RelayContext } from './relay-context.ts';
import { FailedUpstream, RelayError } from '../client/relay-error.ts';
import { readBody } from '../client/request-body.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import type { Access } from '../client/token-check.ts';
import { ask, untilReady } from '../upstream/upstream-answer.ts';
import { failureOf, UpstreamError } from '../upstream/upstream-error.ts';

/** Channels of this type pass every request on, and every answer back. */
const proxyType = 43;

const proxyPath = /^\/v1\/oneapi\/proxy\/([^/]*)(\/.*)?$/;

/** Whether requests to a path go to the upstream of a channel as they are (wire contract 3.11). */
export const isProxyPath = (path: string): boolean => proxyPath.test(path);

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const isMethod = (method: string): method is UpstreamRequest['method'] => methods.has(method);

/** Headers of one connection; of keys, cookies and addresses; and those that the gateway sets itself. */
const dropped =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|content-encoding|accept-encoding|authorization|x-api-key|x-goog-api-key|api-key|cookie|set-cookie|access-control-.*|x-oneapi-request-id|forwarded|x-forwarded-.*|x-real-ip|via|proxy-.*)$/;

/** Headers of an answer that say what it is. Others act on the browser: redirects, cookies, stored data, policies. */
const returned =
  /^(?:content-(?:type|language|disposition|range)|accept-ranges|cache-control|etag|expires|last-modified|retry-after(?:-ms)?|(?:x-)?request-id|openai-.*|anthropic-.*|x-ratelimit-.*)$/;

/** The headers whose names fit, as names and values in turn. */
const pickHeaders = (headers: IncomingHttpHeaders, fits: (name: string) => boolean): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || !fits(name)) return [];
    return [name, Array.isArray(value) ? value.join(', ') : value];
  });

const requestHeaders = (headers: IncomingHttpHeaders) => pickHeaders(headers, (name) => !dropped.test(name));
const answerHeaders = (headers: IncomingHttpHeaders) => pickHeaders(headers, (name) => returned.test(name));

/** Whether a path leads above where it begins, once its escapes are read: an upstream may resolve it so. */
const leavesBase = (path: string): boolean =>
  path
    .replaceAll(/%2e/gi, '.')
    .split(/[/\\]|%2f|%5c/i)
    .includes('..');

/** A channel that serves the client's group; administrators may use every one. */
const channelFor = async (context: RelayContext, access: Access, id: string): Promise<RoutedChannel> => {
  const channel = /^\d{1,15}$/.test(id) ? await context.routes.find(Number(id)) : null;
  if (channel === null) throw new RelayError('channel_invalid');
  if (!channel.enabled) throw new RelayError('channel_disabled');
  if (channel.type !== proxyType) throw new RelayError('unsupported_endpoint', { type: channel.type });
  if (access.role < role.admin && !channel.groups.includes(access.group)) throw new RelayError('channel_forbidden');
  return channel;
};

const failed = (error: UpstreamError): FailedUpstream => new FailedUpstream(failureOf(error), '');

const incomplete = new FailedUpstream(
  {
    status: 502,
    error: {
      message: 'the channel has an invalid base URL or key',
      type: 'server_error',
      param: null,
      code: 'channel_incomplete',
    },
    retryable: false,
  },
  '',
);

const requestOf = (channel: RoutedChannel, request: ProxyRequest, rest: string, body: Buffer): UpstreamRequest => {
  const { message, query } = request;
  const { method = 'GET' } = message;
  if (channel.base === null || /[^\t\x20-\x7e\x80-\xff]/.test(channel.key)) throw incomplete;
  if (!isMethod(method)) throw new RelayError('unsupported_endpoint', { type: channel.type });
  const { origin, path } = channel.base;
  const headers = [...requestHeaders(message.headers), 'authorization', channel.key];
  return { origin, path: `${path}${rest === '' ? '/' : rest}${query}`, method, headers, body };
};

interface ProxyUse {
  readonly channelId: number;
  /** The path behind the channel. */
  readonly rest: string;
}

export interface ProxyRequest extends ClientRequest {
  readonly access: Access;
  readonly memory: CallMemory;
  /** The client's. */
  readonly address: string;
}

const pathMax = 200;

/** Without the query, which may be confidential. */
const entryOf = (
  context: RelayContext,
  { access, address, message, requestId }: ProxyRequest,
  use: ProxyUse,
): AuditEntry => ({
  created_at: Math.floor(context.clock.now() / 1000),
  actor_id: access.payer.userId,
  actor_name: access.username,
  action: 'proxy_call',
  subject: `channel ${use.channelId}`,
  detail: `${message.method} ${use.rest.slice(0, pathMax)}, token ${access.payer.tokenId}`,
  address,
  request_id: requestId,
});

/**
 * Passes a request on to a channel's upstream, and the answer back. It is free of charge and has no log row: the audit log
 * records who used the channel's key.
 */
export const proxyCall = async (context: RelayContext, notes: AuditNotes, request: ProxyRequest): Promise<void> => {
  const { message, client, access, path, memory } = request;
  const [, id = '', rest = ''] = proxyPath.exec(path) ?? [];
  if (leavesBase(rest)) throw new RelayError('path_outside');
  const channel = await channelFor(context, access, id);
  const body = await readBody(message, context.limits.bodyMax, memory.part());
  const noted = notes.note(entryOf(context, request, { channelId: channel.id, rest }));
  if (noted !== null) await noted;
  const pending = ask(context.upstream, {
    request: requestOf(channel, request, rest, body),
    bufferMax: context.limits.bufferMax,
    memory: memory.part(),
    times: channel.times,
    proxy: channel.proxy,
    want: (status, headers) =>
      status === 200 && (headers['content-type'] ?? '').startsWith('text/event-stream')
        ? { kind: 'pieces' }
        : { kind: 'whole', max: context.limits.answerMax },
  });
  client.onGone(pending);
  try {
    const answer = await pending.answer;
    if (answer.whole !== null) return client.answer(answer.status, answerHeaders(answer.headers), answer.whole);
    client.startStream(answerHeaders(answer.headers));
    for (;;) {
      await untilReady(answer);
      const piece = answer.next();
      if (piece === null) break;
      await client.write(piece);
    }
    client.end(Buffer.alloc(0));
  } catch (error) {
    pending.abort();
    if (!(error instanceof UpstreamError)) throw error;
    if (error.fault !== 'aborted') throw failed(error);
    throw error.cause instanceof MemoryError ? error.cause : error;
  }
};
