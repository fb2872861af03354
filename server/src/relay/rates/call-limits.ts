import { RelayError } from '../client/relay-error.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import { limitHeaders, type Standing } from './limit-headers.ts';
import { type LimitIndex, type MeteredRule, ruleKey, type RuleSet } from './limit-index.ts';
import { type FullLimit, limitedBy, secondsOf } from './limit-refusal.ts';
import type { Taken } from './meter.ts';

/** Facts of a call that rules are about. */
export interface LimitedCall {
  readonly tokenId: number;
  readonly userId: number;
  readonly group: string;
  /** As the client requested it. */
  readonly model: string;
  /** Tokens that the call may use, at its admission. */
  reserve(): number;
}

/** The channel with one of its keys. */
type LimitedChannel = Pick<RoutedChannel, 'id' | 'keyIndex' | 'channelKey'>;

/** A rule that counts for a call, and the subject that it counts for. */
interface Match extends MeteredRule {
  readonly subject: string;
}

/** Whom the rules of a set may name, from the most to the least specific, and whom they count. */
interface Subject {
  readonly names: readonly string[];
  readonly counted: string;
}

/** The rule that counts: the one that names more, and the subject before the model. */
const ruleFor = ({ rules }: RuleSet, names: readonly string[], models: readonly string[]): MeteredRule | null => {
  for (const name of names) {
    for (const model of models) {
      const found = rules.get(ruleKey(name, model));
      if (found !== undefined) return found;
    }
  }
  return null;
};

const matchIn = (set: RuleSet, { names, counted }: Subject, model: string): Match | null => {
  const found = ruleFor(set, names, set.withModel ? [model, ''] : ['']);
  return found === null ? null : { ...found, subject: set.withModel ? `${counted}\n${model}` : counted };
};

const callerOf = ({ tokenId, userId, group }: LimitedCall, { part }: RuleSet): Subject => {
  if (part === 'none') return { names: [''], counted: '' };
  const counted = part === 'group' ? group : String(part === 'token' ? tokenId : userId);
  return { names: [counted, ''], counted };
};

const channelOf = ({ id, keyIndex, channelKey }: LimitedChannel, { part }: RuleSet): Subject =>
  part === 'channel'
    ? { names: [String(id), ''], counted: String(id) }
    : { names: [`${id}/${keyIndex + 1}`, String(id), ''], counted: channelKey };

const ofCaller = ({ ofCalls }: LimitIndex, call: LimitedCall): readonly Match[] =>
  ofCalls.flatMap((set) => matchIn(set, callerOf(call, set), call.model) ?? []);

const ofChannel = ({ ofChannels }: LimitIndex, channel: LimitedChannel, model: string): readonly Match[] =>
  ofChannels.flatMap((set) => matchIn(set, channelOf(channel, set), model) ?? []);

/** How a call is counted: at what instant, and for how many tokens. */
interface Counting {
  readonly now: number;
  readonly tokens: () => number;
}

const amountOf = ({ rule }: MeteredRule, { tokens }: Counting): number => (rule.metric === 'tokens' ? tokens() : 1);

/** The limit that takes longest to have room for the call; null: all have. */
const fullest = (matches: readonly Match[], counting: Counting): FullLimit | null => {
  const { now } = counting;
  let full: FullLimit | null = null;
  for (const match of matches) {
    const { meter, rule, subject } = match;
    const waitMs = meter.waitFor(meter.cellOf(subject, now), amountOf(match, counting), now);
    if (waitMs > 0 && (full === null || waitMs > full.waitMs)) full = { rule, waitMs };
  }
  return full;
};

const take = (matches: readonly Match[], counting: Counting): Taken[] =>
  matches.map((match) => {
    const { meter, rule, subject } = match;
    return meter.take({ subject, metric: rule.metric, amount: amountOf(match, counting) }, counting.now);
  });

/**
 * The limits of one call from its admission to its end. Everything happens in one turn of the event loop: what was
 * found free is taken before another call looks.
 */
export class CallLimits {
  private readonly call: LimitedCall;
  private readonly index: LimitIndex;
  /** Milliseconds that never go back. */
  private readonly now: () => number;
  /** What the call took, but for channels. */
  private taken: Taken[] = [];
  /** What the present attempt took of its channel. */
  private takenOfChannel: Taken[] = [];
  private reserved: number | null = null;
  private isCharged = false;

  constructor(call: LimitedCall, index: LimitIndex, now: () => number) {
    this.call = call;
    this.index = index;
    this.now = now;
  }

  /** Counts the call. Throws the refusal of the limit that takes longest to have room; then nothing is counted. */
  admit(): void {
    const matches = ofCaller(this.index, this.call);
    const counting = this.counting();
    const full = fullest(matches, counting);
    if (full !== null) throw limitedBy(full);
    this.taken = take(matches, counting);
  }

  /** Headers that tell the client how its limits stand, as names and values. `unixMs`: now. */
  headers(anthropic: boolean, unixMs: number): readonly string[] {
    const now = this.now();
    const standings = ofCaller(this.index, this.call).map(({ rule, meter, subject }): Standing => {
      const cell = meter.cellOf(subject, now);
      return { rule, remaining: meter.remaining(cell, now), resetMs: meter.resetIn(cell, now) };
    });
    return limitHeaders(standings, { anthropic, nowMs: unixMs });
  }

  /** Whether a limit of the channel or its key has no room for the call. */
  isFull(channel: LimitedChannel): boolean {
    return this.index.ofChannels.length > 0 && fullest(this.ofChannel(channel), this.counting()) !== null;
  }

  /** Counts an attempt with a channel that has room. */
  enter(channel: LimitedChannel): void {
    if (this.index.ofChannels.length > 0) this.takenOfChannel = take(this.ofChannel(channel), this.counting());
  }

  /** The attempt has failed: the upstream counts the request, and no tokens. */
  leave(): void {
    const now = this.now();
    for (const taken of this.takenOfChannel) {
      if (taken.metric === 'concurrent') taken.meter.leave(taken);
      else if (taken.metric === 'tokens' && !this.isCharged) taken.meter.correct(taken, 0, now);
    }
    this.takenOfChannel = [];
  }

  /** The refusal of a call for which no channel has room; null: some have. */
  channelRefusal(channels: readonly RoutedChannel[]): RelayError | null {
    const waits = channels
      .flatMap(({ channelKeys }) => channelKeys)
      .map((key) => fullest(this.ofChannel(key), this.counting())?.waitMs ?? 0);
    const waitMs = Math.min(...waits);
    if (waits.length === 0 || waitMs === 0) return null;
    return new RelayError('rate_limit_channels', { model: this.call.model, wait: secondsOf(waitMs) });
  }

  /** Counts tokens that the call was charged, in place of its reservation. A session is charged several times. */
  charged(tokens: number): void {
    const now = this.now();
    for (const taken of [...this.taken, ...this.takenOfChannel]) {
      if (taken.metric === 'tokens') taken.meter.correct(this.isCharged ? { ...taken, amount: 0 } : taken, tokens, now);
    }
    this.isCharged = true;
  }

  /** The call has ended, however. What was reserved and not charged is given back. */
  end(): void {
    if (!this.isCharged) this.charged(0);
    for (const taken of [...this.taken, ...this.takenOfChannel]) {
      if (taken.metric === 'concurrent') taken.meter.leave(taken);
    }
    this.taken = [];
    this.takenOfChannel = [];
  }

  private counting(): Counting {
    return { now: this.now(), tokens: () => (this.reserved ??= this.call.reserve()) };
  }

  private ofChannel(channel: LimitedChannel): readonly Match[] {
    return ofChannel(this.index, channel, this.call.model);
  }
}
