import { createOutputCounter, type OutputCounter } from '../../billing/counting/output-counter.ts';
import type { Tokens } from '../../billing/price/price.ts';
import type { UsageReport } from '../../billing/price/usage.ts';
import type { RelayFailure, StreamStep } from '../../providers/provider.ts';
import type { OpenStream, ReadEvent } from './attempt.ts';
import type { Job, RelayTools } from './job.ts';
import { ClientGoneError } from '../client/request-body.ts';
import { streamHeaders } from '../client/response-headers.ts';
import { type Delivery, heardOr, type Paid, settle } from './settlement.ts';
import { failureOf, UpstreamError } from '../upstream/upstream-error.ts';
import type { WireEvent } from '../upstream/wire-event.ts';

/** How a stream ended. */
type StreamEnd =
  | { readonly kind: 'complete'; readonly terminator: Buffer }
  | { readonly kind: 'broken'; readonly cut: 'truncated' | 'failed'; readonly failure: RelayFailure }
  | { readonly kind: 'balance' }
  | { readonly kind: 'client_gone' }
  /** The gateway could not go on: its database was away when the hold had to grow. */
  | { readonly kind: 'own_failure'; readonly error: unknown };

/** What was seen of a stream so far. */
interface Seen {
  readonly output: OutputCounter;
  reported: UsageReport | null;
  /** Something was put out behind the last report, so that it does not tell of all. */
  outdated: boolean;
}

interface Running {
  readonly stream: OpenStream;
  readonly paid: Paid;
  readonly seen: Seen;
}

/** Behind a terminator nothing is expected; this much is read so that the connection can serve again. */
const tailMax = 1024;

const truncated: RelayFailure = {
  status: 502,
  error: {
    message: 'the upstream ended its stream before it was complete',
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
const createCheckpoint = (tools: RelayTools, job: Job, { funding, terms }: Paid, { output }: Seen) => {
  let last = tools.clock.now();
  let writing = false;
  const write = async () => {
    const [prompt, completion] = await Promise.all([job.countPrompt(), output.total()]);
    await funding.reservation.progress(terms.price.quota({ prompt, completion }));
    writing = false;
  };
  return () => {
    const now = tools.clock.now();
    if (writing || now - last < tools.pace.intervalMs()) return;
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
const createForwarder = (job: Job, { paid, seen, stream: { translator } }: Running) => {
  const cover = paid.funding.cover(paid.terms);
  let out: Buffer[] = [];
  /** A promise: the client must take something first. */
  const flush = (): Promise<void> | null => {
    const [first] = out;
    if (first === undefined) return null;
    const bytes = out.length === 1 ? first : Buffer.concat(out);
    out = [];
    return job.client.write(bytes);
  };
  const terminatorOf = (event: WireEvent, step: StreamStep): Buffer => bytesOf(event, step) ?? translator.terminator();
  const note = ({ step }: ReadEvent): void => {
    if (step.usage !== undefined) seen.reported = step.usage;
    if (step.usage !== undefined || step.output !== '') seen.outdated = step.usage === undefined;
  };
  /** What is paid for: passed on, unless it is the end. */
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
  /** Promises only where something is waited for: most events pass in the turn in which they came. */
  const forward = (events: readonly ReadEvent[]): StreamEnd | null | Promise<StreamEnd | null> => {
    for (const [index, read] of events.entries()) {
      const { failure, output } = read.step;
      if (failure !== undefined) return flushed({ kind: 'broken', cut: 'failed', failure });
      note(read);
      const covered = cover.take(output);
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

const pump = async (tools: RelayTools, job: Job, { stream, paid, seen }: Running): Promise<StreamEnd> => {
  const { answer, splitter, translator } = stream;
  const forward = createForwarder(job, { stream, paid, seen });
  const checkpoint = createCheckpoint(tools, job, paid, seen);
  let events: readonly ReadEvent[] = stream.first.splice(0);
  for (;;) {
    const passed = forward(events);
    const end = passed instanceof Promise ? await passed : passed;
    if (end !== null) return end;
    checkpoint();
    const next = answer.next();
    const chunk = next instanceof Promise ? await next : next;
    if (chunk === null) break;
    const split = splitter.push(chunk);
    if (split === null) return { kind: 'broken', cut: 'failed', failure: oversized };
    events = split.map((event) => ({ event, step: translator.event(event.data, event.bytes) }));
  }
  const rest = splitter.rest();
  const end = rest === null ? null : await forward([{ event: rest, step: translator.event(rest.data, rest.bytes) }]);
  if (end !== null) return end;
  // Some vendors send no terminator: a clean end behind every finish reason is one.
  return translator.finished()
    ? { kind: 'complete', terminator: translator.terminator() }
    : { kind: 'broken', cut: 'truncated', failure: truncated };
};

const runPump = async (tools: RelayTools, job: Job, running: Running): Promise<StreamEnd> => {
  try {
    return await pump(tools, job, running);
  } catch (error) {
    if (error instanceof ClientGoneError || job.client.gone()) return { kind: 'client_gone' };
    if (error instanceof UpstreamError) return { kind: 'broken', cut: 'truncated', failure: failureOf(error) };
    return { kind: 'own_failure', error };
  }
};

const finish = (job: Job, stream: OpenStream, end: StreamEnd, usage: Tokens | null): void => {
  const { client } = job;
  switch (end.kind) {
    case 'complete':
      client.end(end.terminator);
      break;
    case 'balance':
      client.end(Buffer.concat([stream.translator.lengthEnd(usage), stream.translator.terminator()]));
      break;
    case 'client_gone':
    case 'own_failure':
      break;
    case 'broken':
      client.breakOff(
        job.dialect.errors.event({ ...end.failure.error, status: end.failure.status, short: false }, job.requestId),
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

/** What the end of a stream is charged. Nothing, where it broke off before it had put anything out. */
const settleEnd = async (tools: RelayTools, job: Job, paid: Paid, { end, seen }: Ended): Promise<Tokens | null> => {
  const complete = end.kind === 'complete';
  if (!complete && seen.output.empty() && seen.reported === null) {
    await paid.funding.reservation.release();
    return null;
  }
  const { reported, output, outdated } = seen;
  return settle(tools, job, paid, {
    cut: cutOf(end),
    measured: { reported, ...heardOr(job, output), complete: complete || !outdated },
  });
};

/** A call whose answer turned out to be a stream. */
const streamed = (job: Job): Job => (job.inbound.stream ? job : { ...job, inbound: { ...job.inbound, stream: true } });

/**
 * Relays a stream. The hold is durable before its first byte and the charge before its terminator; one that breaks off
 * ends with an error event and no terminator, and costs what was delivered.
 */
export const deliverStream = async (tools: RelayTools, job: Job, stream: OpenStream, paid: Paid): Promise<void> => {
  tools.pace.enter();
  try {
    await paid.funding.secured();
    if (job.client.gone()) throw new ClientGoneError();
    job.client.startStream(streamHeaders(stream.answer.headers, stream.translator.contentType));
    const seen: Seen = { output: createOutputCounter(tools.tokens, paid.terms.model), reported: null, outdated: false };
    const end = await runPump(tools, job, { stream, paid, seen });
    if (end.kind === 'complete') stream.answer.discard(tailMax);
    else stream.pending.abort();
    if (end.kind === 'broken') {
      const { channel } = paid;
      tools.rests.failed(channel, job.inbound.model, end.failure, '');
      tools.watch.brokeOff({ channel, model: job.inbound.model, requestId: job.requestId, failure: end.failure });
    }
    const usage = await settleEnd(tools, streamed(job), paid, { end, seen });
    if (end.kind === 'own_failure') throw end.error;
    finish(job, stream, end, usage);
  } catch (error) {
    stream.pending.abort();
    throw error;
  } finally {
    tools.pace.leave();
  }
};
