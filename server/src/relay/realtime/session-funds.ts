import { nextSlice } from '../../billing/hold.ts';
import type { RelayedCall } from '../call/relayed-call.ts';
import { type AttemptBilling, charge, type Delivery } from '../call/settlement.ts';
import type { Tokens } from '../../billing/price/price.ts';
import type { RequestedAnswers } from './requested-answers.ts';
import { RealtimeMeter, type SessionUsage } from './realtime-meter.ts';

const checkpointMs = 1000;
/** The hold is extended when this part of it is used. */
const extendAt = 0.8;

/** Compares the usage of a session with its hold: extends the hold, writes checkpoints, and charges at the end. */
export class SessionFunds {
  readonly meter = new RealtimeMeter((transcriber) => this.hasTranscriptPrice(transcriber));
  private readonly call: RelayedCall;
  private readonly requested: RequestedAnswers;
  /** With the price of transcripts, once the model that makes them is known. */
  private billing: AttemptBilling;
  /** The model of the first transcript that has a price of its own; null: there was none. */
  private transcriber: string | null = null;
  private slice: number;
  /** On the monotonic clock: the other one may be set back. */
  private checkpointAt = -checkpointMs;

  constructor(call: RelayedCall, billing: AttemptBilling, requested: RequestedAnswers) {
    this.requested = requested;
    this.call = call;
    this.billing = billing;
    this.slice = billing.terms.outputTokens;
  }

  /**
   * Whether the hold covers the usage so far. Null: it does; otherwise resolves once an extension is decided.
   * @param isDone an answer is complete: resolves only when its checkpoint is durable
   */
  cover(isDone: boolean): Promise<boolean> | null {
    const { funds, terms } = this.billing;
    const used = terms.price.quota(this.meter.reached(this.requested.tokens()));
    const written = this.checkpoint(isDone);
    const fits = used <= funds.reservation.amount() * extendAt;
    if (fits && !isDone) return null;
    return this.decide(used, fits, isDone ? written : null);
  }

  /** Sets aside what one more answer may cost. False: the balance does not cover it beside the others. */
  async holdFor(answer: Tokens): Promise<boolean> {
    const { funds, terms } = this.billing;
    const needed = terms.price.quota(this.meter.reached([...this.requested.tokens(), answer]));
    const more = needed - funds.reservation.amount();
    return more <= 0 || funds.reservation.extend(more);
  }

  /** Charges the usage, or releases the hold if there is none. */
  async settle(cut: Delivery['cut']): Promise<void> {
    const usage = await this.used();
    if (usage.prompt + usage.completion === 0) return this.billing.funds.reservation.release();
    const counted = usage.estimated ? ({ prompt: 'cut_short', completion: 'cut_short' } as const) : {};
    await charge(this.call, this.billing, { usage: { ...usage, counted }, cut });
  }

  private async decide(used: number, fits: boolean, written: Promise<void> | null): Promise<boolean> {
    await written;
    return fits || this.extend(used);
  }

  private used(): Promise<SessionUsage> {
    const { model } = this.billing.terms;
    return this.meter.used((text) => this.call.context.tokens.text(model, text));
  }

  private hasTranscriptPrice(transcriber: string): boolean {
    if (this.transcriber !== null) return this.transcriber === transcriber;
    const { access, prices } = this.call;
    const { channel, terms } = this.billing;
    const price = prices.price({
      model: terms.model,
      channelType: channel.type,
      channelId: channel.id,
      group: access.group,
      atMs: this.call.startedMs,
      // The step that the session was admitted with.
      tokensBefore: (terms.price.origin.volume ?? -1) + 1,
      transcriber,
    });
    if (price.parts.transcript_prompt === undefined) return false;
    this.transcriber = transcriber;
    this.billing = { ...this.billing, terms: { ...terms, price, transcriber } };
    return true;
  }

  private async extend(used: number): Promise<boolean> {
    const { funds, terms } = this.billing;
    const { reservation } = funds;
    this.slice = nextSlice(this.slice);
    const reached = this.meter.reached();
    const { audio_completion: audio = 0 } = reached.parts;
    // The next output may be audio, which may cost more than text.
    const parts = { ...reached.parts, audio_completion: audio + this.slice };
    const ahead = terms.price.quota({ ...reached, completion: reached.completion + this.slice, parts });
    if (await reservation.extend(Math.max(1, ahead - reservation.amount()))) return true;
    const least = used - reservation.amount();
    return least <= 0 || reservation.extend(least);
  }

  private checkpoint(isDone: boolean): Promise<void> | null {
    const now = performance.now();
    if (!isDone && now - this.checkpointAt < checkpointMs) return null;
    this.checkpointAt = now;
    const { funds, terms } = this.billing;
    return this.used().then((usage) => funds.reservation.progress(terms.price.quota(usage)));
  }
}
