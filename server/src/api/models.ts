import { catalogue, isKnownModel, modelCardOf } from '@weir/contract/catalogue/model-catalogue';
import { vendorList } from '@weir/contract/catalogue/vendors';
import { listCatalogueModels, listChannelTypeModels } from '@weir/contract/models';
import type { PriceBook } from '@weir/contract/prices/price-book';
import { currentModels } from '../billing/price/book/current-models.ts';
import type { Prices } from '../billing/price/prices.ts';
import { route, type Routes } from '../http/route.ts';

interface ModelRoutesDeps {
  readonly prices: Pick<Prices, 'known'>;
  readonly clock: { now(): number };
}

type ModelsByType = ReadonlyMap<number, readonly string[]>;

export const modelRoutes = (routes: Routes, { prices, clock }: ModelRoutesDeps): void => {
  let made: { readonly book: PriceBook; readonly day: string; readonly models: ModelsByType } | undefined;
  const modelsOfToday = (): ModelsByType => {
    const { book } = prices.known();
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    if (made?.book !== book || made.day !== day) made = { book, day, models: currentModels(book, day) };
    return made.models;
  };

  route(routes, listChannelTypeModels, async () => ({
    data: Object.fromEntries([...modelsOfToday()].map(([type, names]) => [String(type), [...names]])),
  }));
  // Names that a channel of today may still have stay known: those of the catalogue come first, in its order.
  route(routes, listCatalogueModels, async () => {
    const current = modelsOfToday();
    const cards = vendorList
      .filter(({ ownsModels }) => ownsModels !== false)
      .flatMap(({ id, ownedBy }) => (current.get(id) ?? []).map((name) => modelCardOf(name, ownedBy)));
    const added = new Map(cards.filter(({ id }) => !isKnownModel(id)).map((card) => [card.id, card]));
    return { data: { object: 'list' as const, data: [...catalogue, ...added.values()] } };
  });
};
