import { nextSlice } from '../../billing/hold.ts';
import { isObject, type Json, parseJson } from '../../conversation/json.ts';
import type { RawData, WebSocket } from 'ws';
import type { RelayContext } from '../call/relay-context.ts';
import type { RelayedCall } from '../call/relayed-call.ts';
import { messageBytes } from '../upstream/message-bytes.ts';
import { RealtimeMeter, type SessionUsage } from './realtime-meter.ts';
import { RealtimePipe } from './realtime-pipe.ts';
import { charge, type Delivery, type AttemptBilling } from '../call/settlement.ts';

/** Why a session ended. */
export type SessionEnd =
  | { readonly by: 'client' | 'upstream'; readonly code: number; readonly reason: string }
  /** The balance is at its end, the key is taken no longer, this node stops, or the session exceeded the maximum duration. */
  | { readonly by: 'balance' | 'access' | 'stop' | 'time' }
  | { readonly by: 'fault'; readonly error: unknown };

export interface SessionDeps {
  readonly context: RelayContext;
  readonly call: RelayedCall;
  readonly billing: AttemptBilling;
  /** Both are open, and paused. */
  readonly client: WebSocket;
  readonly upstream: WebSocket;
  /** Rejects when the client may not go on. */
  checkAccess(): Promise<unknown>;
}

interface Message {
  readonly data: RawData;
  readonly binary: boolean;
}

/** Vendors end sessions by themselves after an hour. */
const sessionMs = 65 * 60_000;
/** A peer that answers no ping for so long is gone. */
const pingMs = 30_000;
const checkpointMs = 1000;
/** How long a peer may take to close. */
const closingMs = 2000;
/** The hold is extended when this part of it is used. */
const extendAt = 0.8;

const closeCodes = { balance: 1008, access: 1008, stop: 1001, time: 1001, fault: 1011 } as const;

const errors = {
  balance: { type: 'insufficient_quota', code: 'insufficient_user_quota', message: 'user quota is not enough' },
  access: { type: 'invalid_request_error', code: 'token_refused', message: 'the token is no longer valid' },
  stop: { type: 'server_error', code: 'stopping', message: 'the gateway is restarting, try again' },
  time: {
    type: 'invalid_request_error',
    code: 'session_expired',
    message: 'the session exceeded the maximum duration',
  },
  fault: { type: 'server_error', code: 'internal', message: 'internal error' },
  lost: { type: 'server_error', code: 'upstream_truncated', message: 'the upstream connection was lost' },
} as const;

/** RFC 6455, 7.4: the other codes only tell what happened to a connection. */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);
const noCode = 1005;

const closeWith = (socket: WebSocket, code: number, reason: string): void => {
  if (socket.readyState === socket.CLOSED) return;
  const timer = setTimeout(() => socket.terminate(), closingMs);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
  if (code === noCode) socket.close();
  else if (isSendable(code)) socket.close(code, reason);
  else socket.terminate();
};

const read = ({ data, binary }: Message): Json => {
  const parsed = binary ? null : parseJson(messageBytes(data).toString());
  return isObject(parsed) ? parsed : {};
};

/**
 * One session between a client and an upstream: messages go on as they are, the hold grows with what they cost, and the
 * end is charged before the client is told of it. Has a life, which `ended` is the end of.
 */
export class RealtimeSession {
  readonly ended: Promise<void>;
  private readonly settled = Promise.withResolvers<void>();
  private readonly deps: SessionDeps;
  private readonly meter = new RealtimeMeter((transcriber) => this.pricesApart(transcriber));
  /** The deps', with the price of transcripts once it is known who writes them. */
  private billing: AttemptBilling;
  /** Whose transcripts have a price of their own: of the first who wrote one. */
  private transcriber: string | null = null;
  private readonly toClient: RealtimePipe;
  private readonly toUpstream: RealtimePipe;
  private readonly waiting: Message[] = [];
  private readonly timers: NodeJS.Timeout[];
  private readonly silent = new Set<WebSocket>();
  private taking = false;
  private over = false;
  /** The client takes less than comes, or a message waits for its money. */
  private clientIsFull = false;
  private covering = false;
  /** The upstream closed while what it had said was still taken. */
  private closedBy: SessionEnd | null = null;
  private stopping = false;
  private slice = 0;
  private checkpointAt = 0;

  constructor(deps: SessionDeps) {
    const { client, upstream, context, billing } = deps;
    const { bufferMax, stalledClientMs: stalledMs } = context.limits;
    this.deps = deps;
    this.billing = billing;
    this.ended = this.settled.promise;
    this.slice = billing.terms.outputTokens;
    this.toClient = new RealtimePipe({
      to: client,
      bufferMax,
      stalledMs,
      onFull: (full) => {
        this.clientIsFull = full;
        this.regulate();
      },
    });
    this.toUpstream = new RealtimePipe({
      to: upstream,
      bufferMax,
      stalledMs,
      onFull: (full) => (full ? client.pause() : client.resume()),
    });
    this.timers = [setTimeout(() => this.end({ by: 'time' }), sessionMs), setInterval(() => this.ping(), pingMs)];
    this.listen(client, 'client', (message) => {
      this.meter.heard(read(message));
      this.toUpstream.send(message.data, message.binary);
    });
    this.listen(upstream, 'upstream', (message) => this.queue(message));
  }

  /** Ends the session as soon as no answer is on its way. */
  stop(): void {
    this.stopping = true;
    if (!this.meter.isAnswering() && this.waiting.length === 0) this.end({ by: 'stop' });
  }

  /** Ends the session for a reason; only the first one counts. */
  end(end: SessionEnd): void {
    if (this.over) return;
    this.over = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.toClient.close();
    this.toUpstream.close();
    this.finish(end).then(this.settled.resolve, this.settled.reject);
  }

  private listen(socket: WebSocket, by: 'client' | 'upstream', take: (message: Message) => void): void {
    socket.on('message', (data, binary) => {
      this.silent.delete(socket);
      if (!this.over) take({ data, binary });
    });
    socket.on('pong', () => this.silent.delete(socket));
    socket.on('close', (code, reason) => this.closed({ by, code, reason: reason.toString() }));
    // It is followed by a close.
    socket.on('error', () => undefined);
    socket.resume();
  }

  /** What an upstream said before it closed is still taken. */
  private closed(end: SessionEnd & { readonly by: 'client' | 'upstream' }): void {
    if (end.by === 'client' || !this.taking) this.end(end);
    else this.closedBy = end;
  }
  private ping(): void {
    for (const socket of [this.deps.client, this.deps.upstream]) {
      // Of one that is paused nothing is heard.
      if (socket.isPaused) continue;
      if (this.silent.has(socket)) socket.terminate();
      else socket.ping();
      this.silent.add(socket);
    }
  }

  private queue(message: Message): void {
    this.waiting.push(message);
    if (this.taking) return;
    this.taking = true;
    this.takeAll().then(
      () => {
        this.taking = false;
        if (this.closedBy !== null) this.end(this.closedBy);
        else if (this.stopping && !this.meter.isAnswering()) this.end({ by: 'stop' });
      },
      (error: unknown) => this.end({ by: 'fault', error }),
    );
  }

  private async takeAll(): Promise<void> {
    for (let message = this.waiting.shift(); message !== undefined && !this.over; message = this.waiting.shift()) {
      const event = read(message);
      this.meter.said(event);
      if (event['type'] === 'response.created' && !(await this.mayGoOn())) return this.end({ by: 'access' });
      const isDone = event['type'] === 'response.done';
      const isCovered = await this.cover(isDone);
      // The end of an answer has nothing that was not paid for.
      if (isCovered || isDone) this.toClient.send(message.data, message.binary);
      if (!isCovered) return this.end({ by: 'balance' });
    }
  }

  private mayGoOn(): Promise<boolean> {
    return this.deps.checkAccess().then(
      () => true,
      () => false,
    );
  }

  /** Whether the hold pays for what was said by now, and notes that where a crash would have to know it. */
  private async cover(isDone: boolean): Promise<boolean> {
    const { budget, terms } = this.billing;
    const used = terms.price.quota(this.meter.reached());
    const noted = this.checkpoint(isDone);
    const fits = used <= budget.reservation.amount() * extendAt;
    if (fits && !isDone) return true;
    this.covering = true;
    this.regulate();
    // A finished answer is in the books before the client sees its end.
    if (isDone) await noted;
    const covered = fits || (await this.extend(used));
    this.covering = false;
    this.regulate();
    return covered;
  }

  private used(): Promise<SessionUsage> {
    const { context } = this.deps;
    const { billing } = this;
    return this.meter.used((text) => context.tokens.text(billing.terms.model, text));
  }

  private pricesApart(transcriber: string): boolean {
    if (this.transcriber !== null) return this.transcriber === transcriber;
    const { call, billing } = this.deps;
    const { channel, terms } = billing;
    const question = { model: terms.model, channelType: channel.type, group: call.access.group };
    const price = call.prices.price({ ...question, transcriber });
    if (price.parts.transcript_prompt === undefined) return false;
    this.transcriber = transcriber;
    this.billing = { ...billing, terms: { ...terms, price } };
    return true;
  }

  private regulate(): void {
    const { upstream } = this.deps;
    if (this.over) return;
    if (this.clientIsFull || this.covering) upstream.pause();
    else upstream.resume();
  }

  private async extend(used: number): Promise<boolean> {
    const { budget, terms } = this.billing;
    const { reservation } = budget;
    this.slice = nextSlice(this.slice);
    const reached = this.meter.reached();
    const { audio_completion: sound = 0 } = reached.parts;
    // What comes may be sound, and sound may cost more.
    const next = { ...reached.parts, audio_completion: sound + this.slice };
    const ahead = terms.price.quota({ ...reached, completion: reached.completion + this.slice, parts: next });
    if (await reservation.extend(Math.max(1, ahead - reservation.amount()))) return true;
    const least = used - reservation.amount();
    return least <= 0 || reservation.extend(least);
  }

  private checkpoint(isDone: boolean): Promise<void> | null {
    const { context } = this.deps;
    const { billing } = this;
    const now = context.clock.now();
    if (!isDone && now - this.checkpointAt < checkpointMs) return null;
    this.checkpointAt = now;
    const { price } = billing.terms;
    return this.used().then((usage) => billing.budget.reservation.progress(price.quota(usage)));
  }

  private async finish(end: SessionEnd): Promise<void> {
    const { upstream } = this.deps;
    if (end.by === 'client') closeWith(upstream, end.code, end.reason);
    else closeWith(upstream, 1000, '');
    try {
      await this.settle(end);
    } finally {
      this.tell(end);
    }
    if (end.by === 'fault') throw end.error;
  }

  private async settle(end: SessionEnd): Promise<void> {
    const { context, call } = this.deps;
    const { billing } = this;
    const cut = this.cutOf(end);
    const usage = await this.used();
    if (usage.prompt + usage.completion === 0) return billing.budget.reservation.release();
    const counted = usage.estimated ? ({ prompt: 'cut_short', completion: 'cut_short' } as const) : {};
    await charge(context, call, billing, { usage: { ...usage, counted }, cut });
  }

  private cutOf({ by }: SessionEnd): Delivery['cut'] {
    if (!this.meter.isAnswering()) return null;
    if (by === 'client') return 'client_gone';
    if (by === 'balance') return 'balance';
    return by === 'upstream' ? 'truncated' : 'failed';
  }

  /** Tells the client of the end: with the upstream's own code, or with an error in the upstream's form. */
  private tell(end: SessionEnd): void {
    const { client, call } = this.deps;
    if (end.by === 'client') return;
    if (end.by === 'upstream' && (isSendable(end.code) || end.code === noCode))
      return closeWith(client, end.code, end.reason);
    const by = end.by === 'upstream' ? 'lost' : end.by;
    const { type, code, message } = errors[by];
    const error = { type, code, message: `${message} (request id: ${call.requestId})`, param: null, event_id: null };
    client.send(JSON.stringify({ type: 'error', event_id: `event_${call.requestId}`, error }), () => undefined);
    closeWith(client, by === 'lost' ? closeCodes.fault : closeCodes[by], code);
  }
}
