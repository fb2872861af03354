import {
  isOptionKey,
  listOptions,
  options as entries,
  updateOption,
  type OptionEntry,
  type OptionKey,
} from '@weir/contract/options';
import type { FastifyRequest } from 'fastify';
import type { Prices } from '../billing/price/prices.ts';
import { operatorRatios, type ShownRatios } from '../billing/price/shown-ratios.ts';
import { AppError } from '../errors.ts';
import { networkOf } from '../http/network.ts';
import { route, type Routes } from '../http/route.ts';
import { checkOption } from './option-check.ts';

/** An undeclared proxy: all clients behind it look like one, so operators are warned. */
const undeclaredProxyOf = (request: FastifyRequest): string =>
  request.headers['x-forwarded-for'] !== undefined && networkOf(request) === undefined ? request.ip : '';

interface OptionRoutesDeps {
  readonly prices: Pick<Prices, 'book' | 'shown'>;
}

export const optionRoutes = (routes: Routes, { prices }: OptionRoutesDeps): void => {
  const { audit, options } = routes.deps;
  const isShown = (key: OptionKey): key is keyof ShownRatios => key === 'ModelRatio' || key === 'CompletionRatio';
  const shownText = (key: OptionKey): string => (isShown(key) ? prices.shown()[key].text : options.text(key));

  route(routes, listOptions, async ({ request }) => {
    const data: { key: string; value: string }[] = [];
    const set: string[] = [];
    for (const [key, entry] of Object.entries<OptionEntry>(entries)) {
      if (!isOptionKey(key)) continue;
      if (entry.secret !== true) data.push({ key, value: shownText(key) });
      else if (options.text(key) !== '') set.push(key);
    }
    return { data, extra: { secrets_set: set, undeclared_proxy: undeclaredProxyOf(request) } };
  });

  route(routes, updateOption, async ({ body: { key, value }, actor, request }) => {
    if (!isOptionKey(key)) throw new AppError('option_unknown', { key });
    const entry: OptionEntry = entries[key];
    // A form cannot show a secret, so an empty one means that no new one was entered.
    if (entry.secret === true && value === '') return {};
    const checked = checkOption(key, value, options);
    const text =
      isShown(key) && prices.book() !== null ? operatorRatios(checked, prices.shown()[key].defaults) : checked;
    await options.set(key, text, (trx) =>
      audit.note(trx, { request, actor: actor.user, action: 'update_option', subject: key }),
    );
    return {};
  });
};
