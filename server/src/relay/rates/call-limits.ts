import type { RoutedChannel } from '../routing/routed-channel.ts';
import { limitHeaders, type Standing } from './limit-headers.ts';
import { type LimitIndex, type MeteredRule, ruleKey, type RuleSet } from './limit-index.ts';
import { type FullLimit, limitedBy } from './limit-refusal.ts';
import type { Cell, Taken } from './meter.ts';

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

/** A rule that counts for a call, with what its subject has used. */
interface Match extends MeteredRule {
  readonly subject: string;
  readonly cell: Cell;
}

/** The name that rules of one subject give it, and what such a rule counts. */
interface Subject {
  readonly name: string;
  /** Of channel keys: the rule of the whole channel, for each of its keys; otherwise empty. */
  readonly widerName: string;
  readonly counted: string;
}

/** The rule that counts: the one that names more, and the subject before the model. */
const ruleFor = (
  { rules, namesSubjects }: RuleSet,
  { name, widerName }: Subject,
  model: string,
): MeteredRule | null => {
  const ofSubject = (subject: string): MeteredRule | undefined =>
    (model === '' ? undefined : rules.get(ruleKey(subject, model))) ?? rules.get(ruleKey(subject, ''));
  if (!namesSubjects) return ofSubject('') ?? null;
  return ofSubject(name) ?? (widerName === '' ? undefined : ofSubject(widerName)) ?? ofSubject('') ?? null;
};

const matchIn = (set: RuleSet, subject: Subject, { model, now }: { model: string; now: number }): Match | null => {
  const found = ruleFor(set, subject, set.withModel ? model : '');
  if (found === null) return null;
  const { rule, meter } = found;
  const counted = set.withModel ? `${subject.counted}\n${model}` : subject.counted;
  return { rule, meter, subject: counted, cell: meter.cellOf(counted, now) };
};

const all: Subject = { name: '', widerName: '', counted: '' };
const subjectOf = (counted: string): Subject => ({ name: counted, widerName: '', counted });

const callerOf = ({ tokenId, userId, group }: LimitedCall, { part }: RuleSet): Subject => {
  if (part === 'none') return all;
  if (part === 'group') return subjectOf(group);
  return subjectOf(String(part === 'token' ? tokenId : userId));
};

const channelOf = ({ id, keyIndex, channelKey }: LimitedChannel, { part }: RuleSet): Subject =>
  part === 'channel'
    ? subjectOf(String(id))
    : { name: `${id}/${keyIndex + 1}`, widerName: String(id), counted: channelKey };

const matchesIn = (
  sets: readonly RuleSet[],
  subject: (set: RuleSet) => Subject,
  at: { readonly model: string; readonly now: number },
): readonly Match[] => {
  const matches: Match[] = [];
  for (const set of sets) {
    const match = matchIn(set, subject(set), at);
    if (match !== null) matches.push(match);
  }
  return matches;
};

/** How a call is counted: at what instant, and for how many tokens. */
interface Counting {
  readonly now: number;
  readonly tokens: () => number;
}

const amountOf = ({ rule }: MeteredRule, { tokens }: Counting): number => (rule.metric === 'tokens' ? tokens() : 1);

/** The limit that takes longest to have room for the call; null: all have. */
const fullest = (matches: readonly Match[], counting: Counting): FullLimit | null => {
  let full: FullLimit | null = null;
  for (const match of matches) {
    const { meter, rule, cell } = match;
    const waitMs = meter.waitFor(cell, amountOf(match, counting), counting.now);
    if (waitMs > 0 && (full === null || waitMs > full.waitMs)) full = { rule, waitMs };
  }
  return full;
};

const take = (matches: readonly Match[], counting: Counting): Taken[] =>
  matches.map((match) => {
    const { meter, rule, subject, cell } = match;
    return meter.take(cell, { subject, metric: rule.metric, amount: amountOf(match, counting) }, counting.now);
  });

const standingsOf = (matches: readonly Match[], now: number): readonly Standing[] =>
  matches.map(({ rule, meter, cell }) => ({
    rule,
    remaining: meter.remaining(cell, now),
    resetMs: meter.resetIn(cell, now),
  }));

/** What the calls of a node share. */
interface LimitsOfNode {
  /** The rules of now: they may change while a call waits. */
  readonly index: () => LimitIndex;
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** A call has left the channel. */
  readonly freed: (channelId: number) => void;
}

/**
 * The limits of one call from its admission to its end. Everything happens in one turn of the event loop: what was
 * found free is taken before another call looks.
 */
export class CallLimits {
  private readonly call: LimitedCall;
  private readonly index: LimitsOfNode['index'];
  /** Milliseconds that never go back. */
  private readonly now: () => number;
  private readonly freed: LimitsOfNode['freed'];
  private ofCaller: readonly Match[] = [];
  /** What the call took, but for channels. */
  private taken: Taken[] = [];
  /** What the present attempt took of its channel. */
  private takenOfChannel: Taken[] = [];
  /** 0: no channel. */
  private channelId = 0;
  private reserved: number | null = null;
  private isCharged = false;

  constructor(call: LimitedCall, { index, now, freed }: LimitsOfNode) {
    this.freed = freed;
    this.call = call;
    this.index = index;
    this.now = now;
  }

  /** Counts the call. Throws the refusal of the limit that takes longest to have room; then nothing is counted. */
  admit(): void {
    const counting = this.counting();
    const { call } = this;
    const matches = matchesIn(this.index().ofCalls, (set) => callerOf(call, set), {
      model: call.model,
      now: counting.now,
    });
    const full = fullest(matches, counting);
    if (full !== null) throw limitedBy(full);
    this.taken = take(matches, counting);
    this.ofCaller = matches;
  }

  /** Headers that tell the client how its limits stand, as names and values. `unixMs`: now. */
  headers(anthropic: boolean, unixMs: number): readonly string[] {
    return limitHeaders(standingsOf(this.ofCaller, this.now()), { anthropic, nowMs: unixMs });
  }

  /** Milliseconds until the channel and its key have room for the call; 0: now. Infinity: no time is known. */
  waitAt(channel: LimitedChannel): number {
    if (this.index().ofChannels.length === 0) return 0;
    return fullest(this.ofChannel(channel), this.counting())?.waitMs ?? 0;
  }

  /** Counts an attempt with a channel that has room. */
  enter(channel: LimitedChannel): void {
    if (this.index().ofChannels.length === 0) return;
    this.channelId = channel.id;
    this.takenOfChannel = take(this.ofChannel(channel), this.counting());
  }

  /** The attempt has failed: the upstream counts the request, and no tokens. */
  leave(): void {
    const now = this.now();
    for (const taken of this.takenOfChannel) {
      if (taken.metric === 'concurrent') taken.meter.leave(taken);
      else if (taken.metric === 'tokens' && !this.isCharged) taken.meter.correct(taken, 0, now);
    }
    this.leaveChannel();
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
    this.leaveChannel();
  }

  private leaveChannel(): void {
    if (this.takenOfChannel.length > 0) this.freed(this.channelId);
    this.takenOfChannel = [];
  }

  private counting(): Counting {
    return { now: this.now(), tokens: () => (this.reserved ??= this.call.reserve()) };
  }

  private ofChannel(channel: LimitedChannel): readonly Match[] {
    return matchesIn(this.index().ofChannels, (set) => channelOf(channel, set), {
      model: this.call.model,
      now: this.now(),
    });
  }
}
