import {
  type Attributes,
  type Meter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { failureKind } from '../../relay/routing/failure-kind.ts';
import type { AnsweredRequest, AttemptReport, ChargeReport, RelayObserver } from '../../relay/call/relay-observer.ts';
import { operationOf, providerNameOf } from './gen-ai-names.ts';

interface CallTelemetryDeps {
  readonly tracer: Tracer;
  readonly meter: Meter;
  readonly clock: { now(): number };
}

interface EndedAttempt {
  readonly report: AttemptReport;
  /** Unix milliseconds. */
  readonly endedMs: number;
}

/** What is known of a call that is not answered yet. */
interface OpenCall {
  readonly attempts: EndedAttempt[];
  readonly charges: ChargeReport[];
  refusal: string;
}

/** Calls whose facts are kept until their answer: beyond, the oldest are let go without a span. */
const openMax = 10_000;

/** Seconds and tokens: the bounds that the conventions give. */
const secondBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const firstTokenBounds = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const tokenBounds = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

const createInstruments = (meter: Meter) => ({
  duration: meter.createHistogram('gen_ai.client.operation.duration', {
    unit: 's',
    description: 'Time of an attempt on a channel.',
    advice: { explicitBucketBoundaries: secondBounds },
  }),
  tokens: meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Tokens charged.',
    advice: { explicitBucketBoundaries: tokenBounds },
  }),
  firstToken: meter.createHistogram('gen_ai.server.time_to_first_token', {
    unit: 's',
    description: 'Time from sending a streamed call to its upstream to the first event.',
    advice: { explicitBucketBoundaries: firstTokenBounds },
  }),
});

/** Below the span that the caller names. `tracestate` is not read: it is for those who pass calls on. */
const contextOf = ({ headers }: AnsweredRequest['message']) => {
  const { traceparent } = headers;
  const above = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  return above === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...above, isRemote: true });
};

const modelAttributes = (report: AttemptReport, path: string): Attributes => ({
  'gen_ai.operation.name': operationOf(path),
  'gen_ai.provider.name': providerNameOf(report.channel.type),
  'gen_ai.request.model': report.model,
  ...(report.failed !== null && { 'error.type': failureKind(report.failed.failure) }),
});

/** The charge of a call as attributes of its span. */
const chargeAttributes = ({
  userId,
  group,
  channelId,
  prompt,
  completion,
  quota,
  model,
}: ChargeReport): Attributes => ({
  'gen_ai.request.model': model,
  'gen_ai.usage.input_tokens': prompt,
  'gen_ai.usage.output_tokens': completion,
  'weir.user_id': userId,
  'weir.group': group,
  'weir.channel_id': channelId,
  'weir.quota': quota,
});

/** Facts of calls that are not answered yet, by request id. */
const createOpenCalls = () => {
  const open = new Map<string, OpenCall>();
  return {
    of: (requestId: string): OpenCall => {
      const found = open.get(requestId);
      if (found !== undefined) return found;
      const [oldest] = open.size >= openMax ? open.keys() : [];
      if (oldest !== undefined) open.delete(oldest);
      const made: OpenCall = { attempts: [], charges: [], refusal: '' };
      open.set(requestId, made);
      return made;
    },
    take: (requestId: string): OpenCall => {
      const found = open.get(requestId);
      open.delete(requestId);
      return found ?? { attempts: [], charges: [], refusal: '' };
    },
  };
};

/** Adds an answered call to the histograms. */
const createMeasure = (meter: Meter) => {
  const { duration, tokens, firstToken } = createInstruments(meter);
  return ({ attempts, charges }: OpenCall, path: string): void => {
    for (const { report } of attempts) duration.record(report.ms / 1000, modelAttributes(report, path));
    const [last] = attempts.slice(-1);
    if (last === undefined) return;
    const labels = modelAttributes({ ...last.report, failed: null }, path);
    for (const { prompt, completion, firstMs } of charges) {
      tokens.record(prompt, { ...labels, 'gen_ai.token.type': 'input' });
      tokens.record(completion, { ...labels, 'gen_ai.token.type': 'output' });
      if (firstMs !== null) firstToken.record(firstMs / 1000, labels);
    }
  };
};

const callAttributes = ({ charges, refusal }: OpenCall, request: AnsweredRequest, status: number): Attributes => ({
  'http.request.method': request.message.method ?? 'GET',
  'url.path': request.path,
  'weir.request_id': request.requestId,
  ...(status > 0 && { 'http.response.status_code': status }),
  ...(refusal !== '' && { 'error.type': refusal }),
  ...charges.reduce<Attributes>((all, charge) => ({ ...all, ...chargeAttributes(charge) }), {}),
});

/** Makes the spans of an answered call. */
const createDraw =
  ({ tracer, clock }: Pick<CallTelemetryDeps, 'tracer' | 'clock'>) =>
  (call: OpenCall, request: AnsweredRequest, status: number): void => {
    const { message, path, startedMs } = request;
    const above = contextOf(message);
    const operation = operationOf(path);
    const attributes = callAttributes(call, request, status);
    const started = { kind: SpanKind.SERVER, startTime: new Date(startedMs), attributes };
    const span = tracer.startSpan(`${message.method ?? 'GET'} ${operation}`, started, above);
    const below = trace.setSpan(above, span);
    for (const { report, endedMs } of call.attempts) {
      const { channel, model, failed, ms } = report;
      const named = { 'weir.channel_id': channel.id, 'weir.channel_name': channel.name };
      const options = { kind: SpanKind.CLIENT, startTime: new Date(endedMs - ms) };
      const all = { ...modelAttributes(report, path), ...named };
      const attempt = tracer.startSpan(`${operation} ${model}`, { ...options, attributes: all }, below);
      if (failed !== null) attempt.setStatus({ code: SpanStatusCode.ERROR });
      attempt.end(new Date(endedMs));
    }
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(new Date(clock.now()));
  };

/**
 * Makes a trace of each call when it is answered: a span of the call below the caller's `traceparent`, and one below it
 * for each attempt on a channel, by the OpenTelemetry conventions for generative AI. Bodies, keys and the texts of
 * errors, which may quote a body, are in none of them.
 */
export const createCallTelemetry = ({ tracer, meter, clock }: CallTelemetryDeps): RelayObserver => {
  const open = createOpenCalls();
  const measure = createMeasure(meter);
  const draw = createDraw({ tracer, clock });
  return {
    onAttempt: (report) => {
      if (!report.test) open.of(report.requestId).attempts.push({ report, endedMs: clock.now() });
    },
    onBrokenStream: ({ requestId, failure }) => void (open.of(requestId).refusal = failureKind(failure)),
    onCharge: (charge) => void open.of(charge.requestId).charges.push(charge),
    onRefused: ({ requestId, rule }) => void (open.of(requestId).refusal = rule),
    onAnswer: (request, status) => {
      const call = open.take(request.requestId);
      measure(call, request.path);
      draw(call, request, status);
    },
    onQueued: () => undefined,
  };
};
