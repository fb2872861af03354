import { type LimitMetric, type LimitScope, limitsModel } from '@weir/contract/limits/limit-rules';
import type { LimitRule, RateLimitRow } from '../../store/rate-limits.ts';
import { Meter, type Room } from './meter.ts';

const minuteMs = 60_000;
/** Milliseconds; 0: a limit of calls that run at the same time. */
export const periodsMs = { minute: minuteMs, hour: 60 * minuteMs, day: 24 * 60 * minuteMs, '': 0 } as const;

/** A rule with what its subjects have used. */
export interface MeteredRule {
  readonly rule: RateLimitRow;
  readonly meter: Meter;
}

/** What of a call a scope's rules are about. */
type Part = 'token' | 'user' | 'group' | 'none' | 'channel' | 'channelKey';

const partsOf: Readonly<Record<LimitScope, Part>> = {
  token: 'token',
  user: 'user',
  group: 'group',
  model: 'none',
  channel: 'channel',
  channel_key: 'channelKey',
  token_model: 'token',
  user_model: 'user',
  group_model: 'group',
  channel_model: 'channel',
  channel_key_model: 'channelKey',
};

/** Rules that exclude each other: the most specific one counts for a call. */
export interface RuleSet {
  readonly part: Part;
  readonly withModel: boolean;
  readonly metric: LimitMetric;
  /** Some rules name a subject. */
  namesSubjects: boolean;
  /** By subject and model, joined as `ruleKey` does. */
  readonly rules: ReadonlyMap<string, MeteredRule>;
}

export interface LimitIndex {
  /** Rules about the caller and the model. */
  readonly ofCalls: readonly RuleSet[];
  /** Rules about channels and their keys. */
  readonly ofChannels: readonly RuleSet[];
  readonly all: readonly MeteredRule[];
}

export const ruleKey = (subject: string, model: string): string => `${subject}\n${model}`;

const isSame = (one: LimitRule, other: LimitRule): boolean =>
  one.scope === other.scope &&
  one.subject === other.subject &&
  one.model === other.model &&
  one.metric === other.metric &&
  one.period === other.period;

/** What one node may use of an amount: with `nodes` of them at most the amount, but for one unit on each node. */
export const shareOf = (amount: number, nodes: number): number => Math.max(1, Math.floor(amount / nodes));

interface IndexInput {
  readonly rows: readonly RateLimitRow[];
  readonly nodes: number;
  readonly room: Room;
  /** In the meters' milliseconds. */
  readonly now: number;
  /** The rules until now: what was used of them stays used. */
  readonly last: LimitIndex | null;
}

const meteredRule = (
  row: RateLimitRow,
  known: MeteredRule | undefined,
  { nodes, room, now }: IndexInput,
): MeteredRule => {
  const share = shareOf(row.amount, nodes);
  if (known === undefined || !isSame(known.rule, row))
    return { rule: row, meter: new Meter({ periodMs: periodsMs[row.period], share, room }) };
  known.meter.setShare(share, now);
  return { rule: row, meter: known.meter };
};

/** The rules by what they are about. */
export const createLimitIndex = (input: IndexInput): LimitIndex => {
  const known = new Map(input.last?.all.map((each) => [each.rule.id, each]));
  const all = input.rows.map((row) => meteredRule(row, known.get(row.id), input));
  const kept = new Set(all.map(({ meter }) => meter));
  for (const { meter } of input.last?.all ?? []) if (!kept.has(meter)) meter.close();
  const sets = new Map<string, RuleSet & { readonly rules: Map<string, MeteredRule> }>();
  for (const each of all) {
    const { scope, subject, model, metric, period } = each.rule;
    const name = `${scope} ${metric} ${period}`;
    const found = sets.get(name);
    const set = found ?? {
      part: partsOf[scope],
      withModel: limitsModel(scope),
      metric,
      namesSubjects: false,
      rules: new Map(),
    };
    if (subject !== '') set.namesSubjects = true;
    set.rules.set(ruleKey(subject, model), each);
    sets.set(name, set);
  }
  const isOfChannels = ({ part }: RuleSet): boolean => part === 'channel' || part === 'channelKey';
  const listed = [...sets.values()];
  return { all, ofCalls: listed.filter((set) => !isOfChannels(set)), ofChannels: listed.filter(isOfChannels) };
};
