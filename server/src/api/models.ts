import { catalogue, channelTypeModels, isKnownModel, modelCardOf } from '@weir/contract/catalogue/model-catalogue';
import { vendorList } from '@weir/contract/catalogue/vendors';
import { listCatalogueModels, listChannelTypeModels } from '@weir/contract/models';
import { currentModels } from '../billing/price/book/current-models.ts';
import { readShippedBook } from '../billing/price/book/shipped-book.ts';
import { route, type Routes } from '../http/route.ts';

const today = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** The names that other servers of the contract list come first and as there; the vendors' current models follow. */
export const modelRoutes = (routes: Routes, { clock }: { readonly clock: { now(): number } }): void => {
  let read: { readonly day: string; readonly models: ReadonlyMap<number, readonly string[]> } | undefined;
  const modelsOfToday = (): ReadonlyMap<number, readonly string[]> => {
    const day = today(clock.now());
    if (read?.day !== day) read = { day, models: currentModels(readShippedBook(), day) };
    return read.models;
  };

  route(routes, listChannelTypeModels, async () => {
    const current = modelsOfToday();
    return {
      data: Object.fromEntries(
        Object.entries(channelTypeModels).map(([type, names]) => [
          type,
          [...new Set([...names, ...(current.get(Number(type)) ?? [])])],
        ]),
      ),
    };
  });
  route(routes, listCatalogueModels, async () => {
    const current = modelsOfToday();
    const cards = vendorList
      .filter(({ ownsModels }) => ownsModels !== false)
      .flatMap(({ id, ownedBy }) => (current.get(id) ?? []).map((name) => modelCardOf(name, ownedBy)));
    const added = new Map(cards.filter(({ id }) => !isKnownModel(id)).map((card) => [card.id, card]));
    return { data: { object: 'list' as const, data: [...catalogue, ...added.values()] } };
  });
};
