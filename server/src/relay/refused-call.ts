import type { RefusalRule } from '@weir/contract/logs';
import type { ClientError } from '../dialects/dialect.ts';
import { subscriberOf } from '../http/network.ts';
import type { RelayParts } from './assemble.ts';
import type { RefusedCall, RefusedRoute } from './call/relay-observer.ts';
import type { ClientRequest, RequestFacts } from './client/client-request.ts';
import { FailedUpstream, RelayError, type RelayErrorCode } from './client/relay-error.ts';
import { RefusedKey } from './client/token-check.ts';
import { explainRoute } from './routing/explain-route.ts';
import { failureKind } from './routing/failure-kind.ts';

/** Refusals that the channels of the model explain. */
const ofRoutes: ReadonlySet<RelayErrorCode> = new Set<RelayErrorCode>([
  'no_channel',
  'unsupported_endpoint',
  'invalid_api_type',
]);

/** The code of the error; of an upstream's failure its kind. It is stored, shown and counted: no text of a caller. */
const ruleOf = (error: unknown): RefusalRule => {
  if (error instanceof FailedUpstream) return `upstream_${failureKind(error.failure)}`;
  return error instanceof RelayError ? error.code : 'internal';
};

const dependsOnRoute = (error: unknown): boolean =>
  error instanceof FailedUpstream || (error instanceof RelayError && ofRoutes.has(error.code));

const routeOf = ({ context }: RelayParts, { dialect, facts }: ClientRequest): RefusedRoute | null => {
  const { access, model } = facts;
  if (access === null || dialect === null || model === '') return null;
  const { group } = access;
  return {
    enabled: () => explainRoute(context, context.routes.listing(model), { model, group, dialect }),
    disabled: async () => explainRoute(context, await context.routes.disabled(model), { model, group, dialect }),
  };
};

/** A request for one model of the list has its model in the path. */
const modelOf = ({ model }: RequestFacts, error: unknown): string =>
  model === '' && error instanceof RelayError && error.code === 'model_unknown' ? String(error.values['model']) : model;

/** An error with the answer that it became. */
interface Refusal {
  readonly error: unknown;
  readonly rendered: ClientError;
  readonly retryAfter: string;
}

const refusedCall = (parts: RelayParts, request: ClientRequest, refusal: Refusal): RefusedCall => {
  const { context, addressOf } = parts;
  const { facts, message, path, requestId, startedMs } = request;
  const { error, rendered, retryAfter } = refusal;
  const key = error instanceof RefusedKey ? error : null;
  return {
    requestId,
    ms: Math.max(0, Math.round(context.clock.now() - startedMs)),
    access: facts.access ?? key?.access ?? null,
    keyTail: key?.keyTail ?? '',
    source: () => {
      const address = addressOf(message);
      return { address, network: subscriberOf(address) };
    },
    path,
    model: modelOf(facts, error),
    stream: facts.stream,
    rule: ruleOf(error),
    status: rendered.status,
    message: rendered.message,
    retryAfter,
    attempts: facts.attempts,
    route: dependsOnRoute(error) ? routeOf(parts, request) : null,
  };
};

/** Reports a refused call. A path that the relay does not have is no call. */
export const reportRefusal = (parts: RelayParts, request: ClientRequest, refusal: Refusal): void => {
  const { error } = refusal;
  if (error instanceof RelayError && error.code === 'unknown_path') return;
  parts.context.observer.onRefused(refusedCall(parts, request, refusal));
};
