import type { CallRoute, Route, RouteVerdict } from '@weir/contract/channel-route';
import type { Dialect } from '../../dialects/dialect.ts';
import { choosable } from './choose-channel.ts';
import type { Job, RelayTools } from '../call/job.ts';
import type { RoutedChannel } from './routed-channel.ts';

/** A call as far as its route depends on it. */
export interface Routing {
  readonly model: string;
  readonly group: string;
  readonly dialect: Dialect;
}

type ExplainedChannel = Route['channels'][number];

const untried: ReadonlySet<RoutedChannel> = new Set();

type RouteTools = Pick<RelayTools, 'translations' | 'rests'>;

const restsOf = ({ rests }: RouteTools, channel: RoutedChannel, model: string): ExplainedChannel['rests'] =>
  channel.lanes.flatMap((lane) => {
    const rest = rests.of(lane, model);
    return rest === null ? [] : [{ key: lane.keyIndex, reason: rest.reason, until: Math.ceil(rest.until / 1000) }];
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
  tools: RouteTools,
  channels: readonly RoutedChannel[],
  routing: Routing,
): ExplainedChannel[] => {
  const { model } = routing;
  const candidates = channels.filter((channel) => excluded(tools, channel, routing) === null);
  const top = choosable(candidates, { model, tried: untried, rests: tools.rests });
  const total = top.reduce((sum, { channel }) => sum + channel.weight, 0);
  const shareOf = (channel: RoutedChannel): number => {
    if (!top.some((open) => open.channel === channel)) return 0;
    return total === 0 ? 1 / top.length : channel.weight / total;
  };
  const verdictOf = (channel: RoutedChannel, resting: number): RouteVerdict => {
    const reason = excluded(tools, channel, routing);
    if (reason !== null) return reason;
    if (top.some((open) => open.channel === channel)) return 'open';
    return resting === channel.lanes.length ? 'resting' : 'lower_priority';
  };
  return channels
    .map((channel) => {
      const { id, name, type, priority, weight, lanes } = channel;
      const rests = restsOf(tools, channel, model);
      const verdict = verdictOf(channel, rests.length);
      return { id, name, type, priority, weight, verdict, share: shareOf(channel), keys: lanes.length, rests };
    })
    .toSorted((a, b) => b.share - a.share || b.priority - a.priority || a.id - b.id);
};

/** A header must stay one that every client takes. */
const toldMax = 50;

/** The route of a call that was just made, as its header says it. */
export const callRoute = (
  tools: RelayTools,
  { access, attempts, dialect, inbound: { model } }: Job,
  stays: string | null,
): string => {
  const { group } = access;
  const channels = tools.routes.listing(model);
  const kept = channels.flatMap(({ lanes }) => lanes).find(({ lane }) => lane === stays);
  const explained = explainRoute(tools, channels, { model, group, dialect });
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
