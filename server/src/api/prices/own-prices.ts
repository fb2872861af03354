import {
  deleteOwnPrice,
  findUnpricedModels,
  listPricedModels,
  listUnpricedModels,
  type OwnPriceInput,
  putOwnPrice,
  putOwnPrices,
} from '@weir/contract/prices/own-prices';
import type { PriceCard } from '@weir/contract/prices/price-book';
import { namesIn } from '@weir/contract/wire';
import type { FastifyRequest } from 'fastify';
import {
  type PriceChange,
  removeOwnPrices,
  setOwnPrices,
  type WantedPrice,
} from '../../billing/price/change-own-prices.ts';
import type { Prices } from '../../billing/price/prices.ts';
import { parseRatioTable } from '../../billing/price/ratio.ts';
import { AppError, type Fault } from '../../errors.ts';
import type { AuditedAction } from '../../http/audit.ts';
import { route, type Routes } from '../../http/route.ts';
import { listChannelIds } from '../../store/channels/channels.ts';
import type { OwnPriceScope } from '../../store/prices/own-prices.ts';
import { pricedModels, type SentModel, unpricedModels, unpricedRule } from './priced-models.ts';

interface OwnPriceRoutesDeps {
  readonly prices: Prices;
  readonly clock: { now(): number };
  /** The models that enabled channels send to their upstreams. */
  sent(): Promise<readonly SentModel[]>;
}

const scopeText = ({ group, channelId }: OwnPriceScope): string =>
  [group === '' ? 'all groups' : `group ${group}`, channelId === 0 ? 'all channels' : `channel ${channelId}`].join(
    ', ',
  );

/** Bounds the entry of a card with many hours; the price itself is in the table. */
const cardTextMax = 400;

const cardText = ({ rates, tiers, classes, units, hours, volume }: PriceCard): string => {
  const amounts = (changed: Readonly<Record<string, unknown>> | undefined): string =>
    Object.entries(changed ?? {})
      .map(([part, amount]) => `${part} $${String(amount)}`)
      .join(' ');
  const text = [
    amounts(rates),
    ...Object.entries(units ?? {}).map(([unit, amount]) => `$${amount} per ${unit}`),
    ...(tiers ?? []).map(({ above, ...changed }) => `above ${above}: ${amounts(changed)}`),
    ...Object.entries(classes ?? {}).map(([name, changed]) => `${name}: ${amounts(changed)}`),
    ...(hours?.windows ?? []).map(({ days, from, to, factor }) =>
      [`x${factor} ${from}-${to}`, ...(days ? [`on days ${days.join('')}`] : []), hours?.zone].join(' '),
    ),
    ...(volume?.steps ?? []).map(({ above, factor }) => `x${factor} above ${above} a month`),
  ]
    .filter((part) => part !== '')
    .join('; ');
  return text.length > cardTextMax ? `${text.slice(0, cardTextMax)}…` : text;
};

const detailOf = ({ price, before, removedRatios }: PriceChange): string =>
  [
    scopeText(price),
    ...(price.from === 0 ? [] : [`from ${new Date(price.from * 1000).toISOString()}`]),
    `${before ? cardText(before) : 'no own price'} -> ${cardText(price.card)}`,
    ...(removedRatios.length > 0 ? [`removed ${removedRatios.join(', ')}`] : []),
  ].join(': ');

const toWanted = ({ model, group = '', channel = 0, from = 0, card }: OwnPriceInput): WantedPrice => ({
  model: model.trim(),
  group,
  channelId: Number(channel),
  from: Number(from),
  card,
});

/** Enough for a person to go on with. */
const faultsMax = 3;

const writeRoutes = (routes: Routes, { prices, clock }: OwnPriceRoutesDeps): void => {
  const { audit, db, options } = routes.deps;
  const deps = { options, prices, clock };

  /** A price for a group or channel that does not exist would never count. */
  const checkScopes = async (wanted: readonly WantedPrice[], memberOf: (index: number) => string): Promise<void> => {
    const groups = parseRatioTable(options.text('GroupRatio'));
    const channels = new Set(wanted.some(({ channelId }) => channelId !== 0) ? await listChannelIds(db.read) : []);
    const faults = wanted.flatMap(({ group, channelId }, index): Fault[] => [
      ...(group === '' || groups?.has(group)
        ? []
        : [{ member: `${memberOf(index)}group`, code: 'not_a_choice' as const }]),
      ...(channelId === 0 || channels.has(channelId)
        ? []
        : [{ member: `${memberOf(index)}channel`, code: 'not_a_choice' as const }]),
    ]);
    if (faults.length > 0) throw new AppError('invalid_input', { faults: faults.slice(0, faultsMax) });
  };

  const store = async (
    wanted: readonly WantedPrice[],
    {
      request,
      actor,
    }: { readonly request: FastifyRequest; readonly actor: { readonly user: { id: number; username: string } } },
  ) => {
    const { removedRatios, overruled } = await setOwnPrices(deps, wanted, {
      actorId: actor.user.id,
      alongside: (trx, changes) =>
        audit.noteAll(
          trx,
          changes.map((change): AuditedAction => ({
            request,
            actor: actor.user,
            action: 'set_price',
            subject: change.price.model,
            detail: detailOf(change),
          })),
        ),
    });
    return { data: { removed_ratios: [...removedRatios], overruled: [...overruled] } };
  };

  route(routes, putOwnPrice, async ({ body, actor, request }) => {
    const wanted = [toWanted(body)];
    await checkScopes(wanted, () => '');
    return store(wanted, { request, actor });
  });
  route(routes, putOwnPrices, async ({ body, actor, request }) => {
    const wanted = body.prices.map(toWanted);
    await checkScopes(wanted, (index) => `prices.${index}.`);
    return store(wanted, { request, actor });
  });
};

/** Routes that read prices, and that remove them. */
const otherRoutes = (routes: Routes, { prices, clock, sent }: OwnPriceRoutesDeps): void => {
  const { audit, options } = routes.deps;
  const deps = { options, prices, clock };
  route(routes, listPricedModels, async ({ query }) => ({
    data: pricedModels(deps, await sent(), query.model),
  }));
  route(routes, listUnpricedModels, async () => ({
    data: { rule: unpricedRule(options), models: unpricedModels(deps, await sent()) },
  }));
  route(routes, findUnpricedModels, async ({ body: { type, channel: id, models } }) => {
    const asked = namesIn(models).map((model) => ({ model, channels: [{ id, name: '', type }] }));
    return { data: { rule: unpricedRule(options), models: unpricedModels(deps, asked) } };
  });
  route(routes, deleteOwnPrice, async ({ query, actor, request }) => {
    const { model, group, channel: channelId, from } = query;
    const scope = { model, group, channelId };
    const count = await removeOwnPrices(deps, from === 0 ? scope : { ...scope, from }, (trx, removed) =>
      audit.noteAll(
        trx,
        removed.map((price): AuditedAction => ({
          request,
          actor: actor.user,
          action: 'remove_price',
          subject: model,
          detail: `${scopeText(scope)}: from ${new Date(price.from * 1000).toISOString()}: ${cardText(price.card)} -> no own price`,
        })),
      ),
    );
    if (count === 0) throw new AppError('not_found');
    return { data: count };
  });
};

export const ownPriceRoutes = (routes: Routes, deps: OwnPriceRoutesDeps): void => {
  writeRoutes(routes, deps);
  otherRoutes(routes, deps);
};
