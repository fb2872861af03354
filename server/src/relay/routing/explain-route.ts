import type { CallRoute, Route, RouteVerdict } from '@weir/contract/channel-route';
import type { Dialect } from '../../dialects/dialect.ts';
import { choosable } from './choose-channel.ts';
import type { RelayContext } from '../call/relay-context.ts';
import type { RelayedCall } from '../call/relayed-call.ts';
import type { RoutedChannel } from './routed-channel.ts';

/** A call as far as its route depends on it. */
export interface Routing {
  readonly model: string;
  readonly group: string;
  readonly dialect: Dialect;
}

type ExplainedChannel = Route['channels'][number];

const untried: ReadonlySet<RoutedChannel> = new Set();

type RouteTools = Pick<RelayContext, 'translations' | 'breaker'>;

const coolDownsOf = ({ breaker }: RouteTools, channel: RoutedChannel, model: string): ExplainedChannel['rests'] =>
  channel.channelKeys.flatMap((key) => {
    const coolDown = breaker.coolDownOf(key, model);
    return coolDown === null
      ? []
      : [{ key: key.keyIndex, reason: coolDown.reason, until: Math.ceil(coolDown.until / 1000) }];
  });

/** Why a channel is no candidate at all; null: it is one. */
const excluded = (
  { translations }: RouteTools,
  { enabled, provider, groups }: RoutedChannel,
  { group, dialect }: Routing,
): RouteVerdict | null => {
  if (!enabled) return 'disabled';
  if (!groups.includes(group)) return 'other_group';
  if (provider === null) return 'unknown_type';
  return translations.of(dialect, provider) === null ? 'other_format' : null;
};

/** What the choice among these channels would be, by the rules of `chooseChannel` itself. */
export const explainRoute = (
  context: RouteTools,
  channels: readonly RoutedChannel[],
  routing: Routing,
): ExplainedChannel[] => {
  const { model } = routing;
  const candidates = channels.filter((channel) => excluded(context, channel, routing) === null);
  const top = choosable(candidates, { model, failedKeys: untried, breaker: context.breaker });
  const total = top.reduce((sum, { channel }) => sum + channel.weight, 0);
  const shareOf = (channel: RoutedChannel): number => {
    if (!top.some((open) => open.channel === channel)) return 0;
    return total === 0 ? 1 / top.length : channel.weight / total;
  };
  const verdictOf = (channel: RoutedChannel, resting: number): RouteVerdict => {
    const reason = excluded(context, channel, routing);
    if (reason !== null) return reason;
    if (top.some((open) => open.channel === channel)) return 'open';
    return resting === channel.channelKeys.length ? 'resting' : 'lower_priority';
  };
  return channels
    .map((channel) => {
      const { id, name, type, priority, weight, channelKeys } = channel;
      const rests = coolDownsOf(context, channel, model);
      const verdict = verdictOf(channel, rests.length);
      return { id, name, type, priority, weight, verdict, share: shareOf(channel), keys: channelKeys.length, rests };
    })
    .toSorted((a, b) => b.share - a.share || b.priority - a.priority || a.id - b.id);
};

/** A header must stay one that every client takes. */
const toldMax = 50;

/** The route of a call that was just made, as its header says it. */
export const callRoute = (
  context: RelayContext,
  { access, attempts, dialect, inbound: { model } }: RelayedCall,
  stickyKey: string | null,
): string => {
  const { group } = access;
  const channels = context.routes.listing(model);
  const kept = channels.flatMap(({ channelKeys }) => channelKeys).find(({ channelKey }) => channelKey === stickyKey);
  const explained = explainRoute(context, channels, { model, group, dialect });
  const route: CallRoute = {
    model,
    group,
    stays: kept?.id ?? null,
    channels: explained.slice(0, toldMax).map(({ id, verdict, share }) => ({ id, verdict, share })),
    attempts,
  };
  // A header has no other characters.
  return JSON.stringify(route).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
};
