import { createOutputCounter, type OutputCounter } from '../../billing/counting/output-counter.ts';
import type { ChargedUsage, UsageReport } from '../../billing/price/usage.ts';
import type { RelayFailure, StreamStep } from '../../providers/provider.ts';
import { MemoryError, mustHold } from '../memory/memory-budget.ts';
import type { OpenStream, ReadEvent } from './attempt-result.ts';
import type { RelayedCall } from './relayed-call.ts';
import { ClientGoneError } from '../client/request-body.ts';
import { streamHeaders } from '../client/response-headers.ts';
import { readEvents, translate } from './read-events.ts';
import { type Delivery, countsFor, type AttemptBilling, keepGiven, settle } from './settlement.ts';
import { failureOf, UpstreamError } from '../upstream/upstream-error.ts';
import { usageBounds } from './usage-bounds.ts';
import type { WireEvent } from '../upstream/events/wire-event.ts';

/** How a stream ended. */
type StreamEnd =
  | { readonly kind: 'complete'; /** Built once its charge is known. */ readonly terminator: () => Buffer }
  | { readonly kind: 'broken'; readonly cut: 'truncated' | 'failed'; readonly failure: RelayFailure }
  | { readonly kind: 'balance' }
  | { readonly kind: 'client_gone' }
  /** The gateway could not go on: its database was away when the hold had to grow, or its memory is used up. */
  | { readonly kind: 'own_failure'; readonly error: unknown };

/** What a stream has delivered so far. */
interface Seen {
  readonly output: OutputCounter;
  reported: UsageReport | null;
  /** Output followed the last report, so the report is incomplete. */
  outdated: boolean;
}

interface Running {
  readonly stream: OpenStream;
  readonly billing: AttemptBilling;
  readonly seen: Seen;
}

/** Behind a terminator nothing is expected; this much is read so that the connection can serve again. */
const tailMax = 1024;

const truncated: RelayFailure = {
  status: 502,
  error: {
    message: 'the upstream ended the stream early',
    type: 'server_error',
    param: null,
    code: 'upstream_truncated',
  },
  retryable: false,
};
const oversized: RelayFailure = {
  ...truncated,
  error: { ...truncated.error, message: 'the upstream sent an event that is too large', code: 'bad_response_body' },
};

/**
 * Notes now and then what a crash would have to charge for; not again before the last note is written, so that none
 * pile up where a database is slower than the streams.
 */
const createCheckpoint = (call: RelayedCall, { funds, terms }: AttemptBilling, { output }: Seen) => {
  const { checkpointInterval } = call.context;
  // On the monotonic clock: the other one may be set back.
  let last = performance.now();
  let writing = false;
  const write = async () => {
    const [prompt, completion] = await Promise.all([call.countPrompt(), output.total()]);
    await funds.reservation.progress(terms.price.quota({ prompt, completion }));
    writing = false;
  };
  return () => {
    const now = performance.now();
    if (writing || now - last < checkpointInterval.currentMs()) return;
    last = now;
    writing = true;
    void write();
  };
};

const bytesOf = (event: WireEvent, { forward }: StreamStep): Buffer | null => {
  if (forward === 'same') return event.bytes;
  if (forward === 'none') return null;
  return typeof forward === 'function' ? forward() : forward;
};

/** Takes events one after another and passes on what the money covers, in as few writes as they came. */
const createForwarder = (call: RelayedCall, { billing, seen, stream: { translator } }: Running) => {
  const guard = billing.funds.guard(billing.terms);
  /** Emptied, never replaced: see `PendingPieces`. */
  const out: Buffer[] = [];
  /** A promise: the client must read data first. */
  const flush = (): Promise<void> | null => {
    const [first] = out;
    if (first === undefined) return null;
    const bytes = out.length === 1 ? first : Buffer.concat(out);
    out.length = 0;
    return call.client.write(bytes);
  };
  const terminatorOf = (event: WireEvent, step: StreamStep) => (): Buffer =>
    bytesOf(event, step) ?? translator.terminator();
  const note = ({ step }: ReadEvent): void => {
    if (step.usage !== undefined) seen.reported = step.usage;
    if (step.usage !== undefined || step.output !== '') seen.outdated = step.usage === undefined;
  };
  /** Counts the output of an event and forwards the event, unless it is the end. */
  const pass = ({ event, step }: ReadEvent): StreamEnd | null => {
    seen.output.add(step.output);
    if (step.done) return { kind: 'complete', terminator: terminatorOf(event, step) };
    const bytes = bytesOf(event, step);
    if (bytes !== null) out.push(bytes);
    return null;
  };
  const flushed = (end: StreamEnd | null): StreamEnd | null | Promise<StreamEnd | null> => {
    const full = flush();
    return full === null ? end : full.then(() => end);
  };
  const waitForCover = async (covered: Promise<boolean>, read: ReadEvent): Promise<StreamEnd | null> => {
    await flush();
    return (await covered) ? pass(read) : { kind: 'balance' };
  };
  /** Returns a promise only if it has to wait: most events pass in the same turn. */
  const forward = (events: readonly ReadEvent[]): StreamEnd | null | Promise<StreamEnd | null> => {
    for (const [index, read] of events.entries()) {
      const { failure, output } = read.step;
      if (failure !== undefined) return flushed({ kind: 'broken', cut: 'failed', failure });
      note(read);
      const covered = guard.take(output);
      if (covered !== null)
        return waitForCover(covered, read).then((end) =>
          end === null ? forward(events.slice(index + 1)) : flushed(end),
        );
      const end = pass(read);
      if (end !== null) return flushed(end);
    }
    return flushed(null);
  };
  return forward;
};

/** Takes what arrives and passes it on. Held by the pump while it waits, so it keeps nothing of an event. */
const createPassage = (call: RelayedCall, running: Running) => {
  const { stream } = running;
  const { events: held } = call.memory;
  const forward = createForwarder(call, running);
  /** The client may refer to an id as soon as it has it. */
  const passOn = (events: readonly ReadEvent[]): ReturnType<typeof forward> =>
    call.givenIds.hasNew() ? keepGiven(call, running.billing, null).then(() => forward(events)) : forward(events);
  const passRead = (events: readonly ReadEvent[] | null): ReturnType<typeof forward> =>
    events === null ? { kind: 'broken', cut: 'failed', failure: oversized } : passOn(events);
  /** `over`: nothing more comes. */
  const passNext = (): ReturnType<typeof forward> | 'over' => {
    const chunk = stream.answer.next();
    if (chunk === null) return 'over';
    // What is not complete, and what is on its way to the client.
    mustHold(held, stream.splitter.kept() + chunk.length);
    const reading = readEvents(stream, chunk);
    return reading instanceof Promise ? reading.then(passRead) : passRead(reading);
  };
  return { passOn, passNext };
};

/** The end of a stream behind which its upstream sends nothing more. */
const endOf = (stream: OpenStream, passed: StreamEnd | null): StreamEnd => {
  if (passed !== null) return passed;
  const { translator } = stream;
  // Some vendors send no terminator: a clean end behind every finish reason is one.
  return translator.finished()
    ? { kind: 'complete', terminator: () => translator.terminator() }
    : { kind: 'broken', cut: 'truncated', failure: truncated };
};

/**
 * Passes on what arrives until the stream ends. By callbacks: an `await` for each event would take a twentieth of its time,
 * and leave promises that waited long enough to be in the old generation.
 */
const pump = (call: RelayedCall, running: Running): Promise<StreamEnd> => {
  const { stream, billing, seen } = running;
  const { passOn, passNext } = createPassage(call, running);
  const checkpoint = createCheckpoint(call, billing, seen);
  const { promise, resolve, reject } = Promise.withResolvers<StreamEnd>();
  const endWith = async (): Promise<StreamEnd> => {
    const rest = stream.splitter.rest();
    return endOf(stream, rest === null ? null : await passOn(translate(stream, [rest])));
  };
  const goOn = (take: typeof passNext): void => {
    try {
      for (let passed = take(); ; passed = passNext()) {
        if (passed instanceof Promise) return void passed.then((end) => goOn(() => end), reject);
        if (passed === 'over') return resolve(endWith());
        if (passed !== null) return resolve(passed);
        checkpoint();
        if (!stream.answer.ready(arrived)) return;
      }
    } catch (error) {
      reject(error);
    }
  };
  const arrived = () => goOn(passNext);
  goOn(() => passOn(stream.first.splice(0)));
  return promise;
};

const runPump = async (call: RelayedCall, running: Running): Promise<StreamEnd> => {
  try {
    return await pump(call, running);
  } catch (error) {
    if (error instanceof ClientGoneError || call.client.gone()) return { kind: 'client_gone' };
    const cause = error instanceof UpstreamError ? error.cause : error;
    if (cause instanceof MemoryError) return { kind: 'own_failure', error: cause };
    if (error instanceof UpstreamError) return { kind: 'broken', cut: 'truncated', failure: failureOf(error) };
    return { kind: 'own_failure', error };
  }
};

const nothing = Buffer.alloc(0);

const finish = (call: RelayedCall, stream: OpenStream, end: StreamEnd, usage: ChargedUsage | null): void => {
  const { client } = call;
  const { translator } = stream;
  const counted = usage?.estimated === true ? usage : null;
  switch (end.kind) {
    case 'complete':
      client.end(Buffer.concat([(counted && translator.counted?.(counted)) ?? nothing, end.terminator()]));
      break;
    case 'balance':
      client.end(Buffer.concat([translator.lengthEnd(usage), translator.terminator()]));
      break;
    case 'client_gone':
    case 'own_failure':
      break;
    case 'broken':
      client.breakOff(
        call.dialect.errors.event({ ...end.failure.error, status: end.failure.status, short: false }, call.requestId),
      );
      break;
  }
};

interface Ended {
  readonly end: StreamEnd;
  readonly seen: Seen;
}

const cutOf = (end: StreamEnd): Delivery['cut'] => {
  if (end.kind === 'complete') return null;
  if (end.kind === 'own_failure') return 'failed';
  return end.kind === 'broken' ? end.cut : end.kind;
};

/** The charge at the end of a stream. Nothing, if it broke off before any output. */
const settleEnd = async (
  call: RelayedCall,
  billing: AttemptBilling,
  { end, seen }: Ended,
): Promise<ChargedUsage | null> => {
  const complete = end.kind === 'complete';
  if (!complete && seen.output.empty() && seen.reported === null) {
    await billing.funds.reservation.release();
    return null;
  }
  const { reported, output, outdated } = seen;
  const bounds = usageBounds(call, billing.channel, output.characters);
  return settle(call, billing, {
    cut: cutOf(end),
    measured: { reported, bounds, ...countsFor(call, output), complete: complete || !outdated },
  });
};

/** Reports the result of the attempt, which only the end of its stream shows. */
const report = (call: RelayedCall, { answer }: OpenStream, { channel }: AttemptBilling, end: StreamEnd): void => {
  const { attempts, context, inbound, requestId } = call;
  const { breaker, observer } = context;
  const { model } = inbound;
  if (end.kind === 'broken') {
    breaker.onFailure(channel, model, end.failure, '');
    observer.onBrokenStream({ channel, model, requestId, failure: end.failure });
    return;
  }
  // A client that leaves may have waited for an upstream that is stuck.
  if (end.kind !== 'client_gone') breaker.onSuccess(channel, model);
  const { headMs } = answer;
  const ms = attempts.at(-1)?.ms ?? 0;
  observer.onAttempt({ channel, model, requestId, headMs, ms, failed: null, hasHealthySibling: false, test: false });
};

/** A call whose answer turned out to be a stream. */
const streamed = (call: RelayedCall): RelayedCall =>
  call.inbound.stream ? call : { ...call, inbound: { ...call.inbound, stream: true } };

/**
 * Relays a stream. The hold is durable before its first byte and the charge before its terminator; one that breaks off
 * ends with an error event and no terminator, and costs what was delivered.
 */
export const deliverStream = async (call: RelayedCall, stream: OpenStream, billing: AttemptBilling): Promise<void> => {
  const { context } = call;
  context.checkpointInterval.streamStarted();
  try {
    await Promise.all([billing.funds.secured(), keepGiven(call, billing, null)]);
    if (call.client.gone()) throw new ClientGoneError();
    call.client.startStream(streamHeaders(call.dialect, stream.answer.headers, stream.translator.contentType));
    const seen: Seen = {
      output: createOutputCounter(context.tokens, billing.terms.model),
      reported: null,
      outdated: false,
    };
    const end = await runPump(call, { stream, billing, seen });
    if (end.kind === 'complete') stream.answer.discard(tailMax);
    else stream.pending.abort();
    report(call, stream, billing, end);
    const usage = await settleEnd(streamed(call), billing, { end, seen });
    await keepGiven(call, billing, usage);
    if (end.kind === 'own_failure') throw end.error;
    finish(call, stream, end, usage);
  } catch (error) {
    stream.pending.abort();
    throw error;
  } finally {
    context.checkpointInterval.streamEnded();
  }
};
