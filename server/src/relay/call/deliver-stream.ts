import { OutputCounter } from '../../billing/counting/output-counter.ts';
import type { HoldGuard } from '../../billing/hold-guard.ts';
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
class Checkpoint {
  /** On the monotonic clock: the other one may be set back. */
  private last = performance.now();
  private writing = false;
  private readonly call: RelayedCall;
  private readonly running: Running;

  constructor(call: RelayedCall, running: Running) {
    this.call = call;
    this.running = running;
  }

  pass(): void {
    const now = performance.now();
    if (this.writing || now - this.last < this.call.context.checkpointInterval.currentMs()) return;
    this.last = now;
    this.writing = true;
    void this.write();
  }

  private async write(): Promise<void> {
    const { seen, billing } = this.running;
    const [prompt, completion] = await Promise.all([this.call.countPrompt(), seen.output.total()]);
    await billing.funds.reservation.progress(billing.terms.price.quota({ prompt, completion }));
    this.writing = false;
  }
}

const bytesOf = (event: WireEvent, { forward }: StreamStep): Buffer | null => {
  if (forward === 'same') return event.bytes;
  if (forward === 'none') return null;
  return typeof forward === 'function' ? forward() : forward;
};

/** Null: the stream goes on. A promise only if it has to wait: most events pass in the same turn. */
type Passed = StreamEnd | null | Promise<StreamEnd | null>;

/** Takes events one after another and passes on what the money covers, in as few writes as they came. */
class Forwarder {
  /** Emptied, never replaced: see `PendingPieces`. */
  private readonly out: Buffer[] = [];
  private readonly guard: HoldGuard;
  private readonly call: RelayedCall;
  private readonly running: Running;

  constructor(call: RelayedCall, running: Running) {
    const { funds, terms } = running.billing;
    this.guard = funds.guard(terms);
    this.call = call;
    this.running = running;
  }

  forward(events: readonly ReadEvent[]): Passed {
    for (const [index, read] of events.entries()) {
      const { failure, output } = read.step;
      if (failure !== undefined) return this.flushed({ kind: 'broken', cut: 'failed', failure });
      this.note(read);
      const covered = this.guard.take(output);
      if (covered !== null)
        return this.waitForCover(covered, read).then((end) =>
          end === null ? this.forward(events.slice(index + 1)) : this.flushed(end),
        );
      const end = this.pass(read);
      if (end !== null) return this.flushed(end);
    }
    return this.flushed(null);
  }

  private note({ step }: ReadEvent): void {
    const { seen } = this.running;
    if (step.usage !== undefined) seen.reported = step.usage;
    if (step.usage !== undefined || step.output !== '') seen.outdated = step.usage === undefined;
  }

  /** Counts the output of an event and forwards the event, unless it is the end. */
  private pass({ event, step }: ReadEvent): StreamEnd | null {
    const { seen, stream } = this.running;
    seen.output.add(step.output);
    const bytes = () => bytesOf(event, step);
    if (step.done) return { kind: 'complete', terminator: () => bytes() ?? stream.translator.terminator() };
    const forwarded = bytes();
    if (forwarded !== null) this.out.push(forwarded);
    return null;
  }

  private async waitForCover(covered: Promise<boolean>, read: ReadEvent): Promise<StreamEnd | null> {
    await this.flush();
    return (await covered) ? this.pass(read) : { kind: 'balance' };
  }

  private flushed(end: StreamEnd | null): Passed {
    const full = this.flush();
    return full === null ? end : full.then(() => end);
  }

  /** A promise: the client must read data first. */
  private flush(): Promise<void> | null {
    const { out } = this;
    const [first] = out;
    if (first === undefined) return null;
    const bytes = out.length === 1 ? first : Buffer.concat(out);
    out.length = 0;
    return this.call.client.write(bytes);
  }
}

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
 * Passes on what arrives until the stream ends. By callbacks: the promises of functions that wait for an event are in the
 * old generation when it comes, and stay there until a full collection. Keeps nothing of an event while it waits.
 */
class StreamPump {
  private readonly ended = Promise.withResolvers<StreamEnd>();
  private readonly arrived = () => this.goOn(() => this.passNext());
  private readonly checkpoint: Checkpoint;
  private readonly forwarder: Forwarder;
  private readonly call: RelayedCall;
  private readonly running: Running;

  constructor(call: RelayedCall, running: Running) {
    this.checkpoint = new Checkpoint(call, running);
    this.forwarder = new Forwarder(call, running);
    this.call = call;
    this.running = running;
  }

  run(): Promise<StreamEnd> {
    this.goOn(() => this.passOn(this.running.stream.first.splice(0)));
    return this.ended.promise;
  }

  private goOn(take: () => Passed | 'over'): void {
    const { resolve } = this.ended;
    try {
      for (let passed = take(); ; passed = this.passNext()) {
        if (passed instanceof Promise)
          return void passed.then(
            (end) => this.goOn(() => end),
            (error: unknown) => this.fail(error),
          );
        if (passed === 'over') return resolve(this.end().catch((error: unknown) => endOfFailure(this.call, error)));
        if (passed !== null) return resolve(passed);
        this.checkpoint.pass();
        if (!this.running.stream.answer.ready(this.arrived)) return;
      }
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.ended.resolve(endOfFailure(this.call, error));
  }

  /** `over`: nothing more comes. */
  private passNext(): Passed | 'over' {
    const { stream } = this.running;
    const chunk = stream.answer.next();
    if (chunk === null) return 'over';
    // What is not complete, and what is on its way to the client.
    mustHold(this.call.memory.events, stream.splitter.kept() + chunk.length);
    const reading = readEvents(stream, chunk);
    return reading instanceof Promise ? reading.then((events) => this.passRead(events)) : this.passRead(reading);
  }

  private passRead(events: readonly ReadEvent[] | null): Passed {
    return events === null ? { kind: 'broken', cut: 'failed', failure: oversized } : this.passOn(events);
  }

  /** The client may refer to an id as soon as it has it. */
  private passOn(events: readonly ReadEvent[]): Passed {
    const { call, forwarder } = this;
    if (!call.givenIds.hasNew()) return forwarder.forward(events);
    const keeping = keepGiven(call, this.running.billing, null);
    return keeping === null ? forwarder.forward(events) : keeping.then(() => forwarder.forward(events));
  }

  private async end(): Promise<StreamEnd> {
    const { stream } = this.running;
    const rest = stream.splitter.rest();
    return endOf(stream, rest === null ? null : await this.passOn(translate(stream, [rest])));
  }
}

/** How a stream ended that its pump could not go on with. */
const endOfFailure = ({ client }: RelayedCall, error: unknown): StreamEnd => {
  if (error instanceof ClientGoneError || client.gone()) return { kind: 'client_gone' };
  const cause = error instanceof UpstreamError ? error.cause : error;
  if (cause instanceof MemoryError) return { kind: 'own_failure', error: cause };
  if (error instanceof UpstreamError) return { kind: 'broken', cut: 'truncated', failure: failureOf(error) };
  return { kind: 'own_failure', error };
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
  const bounds = usageBounds(call, billing.channel, () => output.characters());
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
      output: new OutputCounter(context.tokens, billing.terms.model),
      reported: null,
      outdated: false,
    };
    const end = await new StreamPump(call, { stream, billing, seen }).run();
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
