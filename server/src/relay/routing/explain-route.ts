import type { CallRoute, Route, RouteVerdict } from '@weir/contract/channel-route';
import { defaultGroup } from '@weir/contract/groups';
import type { Dialect } from '../../dialects/dialect.ts';
import { dialectOf } from '../../dialects/dialects.ts';
import { AppError } from '../../errors.ts';
import type { Provider } from '../../providers/provider.ts';
import { choosable } from './choose-channel.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { RoutedChannel } from './routed-channel.ts';
import type { RoutingTable } from './routing-table.ts';

/** The facts of a call that its route depends on. */
export interface RouteFacts {
  readonly model: string;
  readonly group: string;
  readonly dialect: Dialect;
}

export interface RouteDeps {
  readonly routes: RoutingTable;
  readonly breaker: CircuitBreaker;
  /** `of` is null where the provider does not serve calls of the dialect. */
  readonly translations: { of(dialect: Dialect, provider: Provider): object | null };
}

type ExplainedChannel = Route['channels'][number];

const noneFailed: ReadonlySet<RoutedChannel> = new Set();

const coolDownsOf = ({ breaker }: RouteDeps, channel: RoutedChannel, model: string): ExplainedChannel['rests'] =>
  channel.channelKeys.flatMap((key) => {
    const coolDown = breaker.coolDownOf(key, model);
    return coolDown === null
      ? []
      : [{ key: key.keyIndex, reason: coolDown.reason, until: Math.ceil(coolDown.until / 1000) }];
  });

/** Why a channel is no candidate; null: it is one. */
const excluded = (
  { translations }: RouteDeps,
  { enabled, provider, groups }: RoutedChannel,
  { group, dialect }: RouteFacts,
): RouteVerdict | null => {
  if (!enabled) return 'disabled';
  if (!groups.includes(group)) return 'other_group';
  if (provider === null) return 'unknown_type';
  return translations.of(dialect, provider) === null ? 'other_format' : null;
};

/** The choice among these channels, by the rules of `chooseChannel` itself. */
export const explainRoute = (
  deps: RouteDeps,
  channels: readonly RoutedChannel[],
  facts: RouteFacts,
): ExplainedChannel[] => {
  const { model } = facts;
  const candidates = channels.filter((channel) => excluded(deps, channel, facts) === null);
  const top = choosable(candidates, { model, failedKeys: noneFailed, breaker: deps.breaker, isFull: null });
  const total = top.reduce((sum, { channel }) => sum + channel.weight, 0);
  const shareOf = (channel: RoutedChannel): number => {
    if (!top.some((open) => open.channel === channel)) return 0;
    return total === 0 ? 1 / top.length : channel.weight / total;
  };
  const verdictOf = (channel: RoutedChannel, openCircuits: number): RouteVerdict => {
    const reason = excluded(deps, channel, facts);
    if (reason !== null) return reason;
    if (top.some((open) => open.channel === channel)) return 'open';
    return openCircuits === channel.channelKeys.length ? 'resting' : 'lower_priority';
  };
  return channels
    .map((channel) => {
      const { id, name, type, priority, weight, channelKeys } = channel;
      const rests = coolDownsOf(deps, channel, model);
      const verdict = verdictOf(channel, rests.length);
      return { id, name, type, priority, weight, verdict, share: shareOf(channel), keys: channelKeys.length, rests };
    })
    .toSorted((a, b) => b.share - a.share || b.priority - a.priority || a.id - b.id);
};

/** A hypothetical call. Empty group and path: `default`, chat completions. */
export interface RouteQuestion {
  readonly model: string;
  readonly group: string;
  readonly path: string;
}

/** The route of such a call made now, disabled channels included. */
export const answerRoute = async (deps: RouteDeps, question: RouteQuestion): Promise<Route> => {
  const { model, path } = question;
  const dialect = dialectOf(path === '' ? '/v1/chat/completions' : path, '');
  if (dialect === null) throw new AppError('not_found');
  await deps.routes.ready();
  const group = question.group === '' ? defaultGroup : question.group;
  const channels = [...deps.routes.listing(model), ...(await deps.routes.disabled(model))];
  return { model, group, channels: explainRoute(deps, channels, { model, group, dialect }) };
};

/** A longer header would be too large for some clients. */
const listedMax = 50;

/** The route of a call that was just made, as a header value. */
export const callRoute = (
  deps: RouteDeps,
  {
    model,
    group,
    dialect,
    attempts,
    stickyKey,
  }: RouteFacts & Pick<CallRoute, 'attempts'> & { readonly stickyKey: string | null },
): string => {
  const channels = deps.routes.listing(model);
  const sticky = channels.flatMap(({ channelKeys }) => channelKeys).find(({ channelKey }) => channelKey === stickyKey);
  const explained = explainRoute(deps, channels, { model, group, dialect });
  const route: CallRoute = {
    model,
    group,
    stays: sticky?.id ?? null,
    channels: explained.slice(0, listedMax).map(({ id, verdict, share }) => ({ id, verdict, share })),
    attempts,
  };
  // A header takes no other characters.
  return JSON.stringify(route).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
};
