import type { ModelCard } from '../models.ts';
import type { Vendor } from './vendor.ts';
import { vendorModels, vendors } from './vendors.ts';

const namesIn = (models: string): string[] => models.split(/\s+/).filter((name) => name !== '');

const rows: Readonly<Record<string, Vendor>> = vendors;
const withModels = Object.entries(vendorModels).flatMap(([name, models]) => {
  const vendor = rows[name];
  return vendor === undefined ? [] : [{ vendor, models: namesIn(models) }];
});

/** Default model names of each channel type, by its number as text. */
export const channelTypeModels: Readonly<Record<string, string[]>> = Object.fromEntries(
  withModels.map(({ vendor, models }) => [String(vendor.id), models]),
);

const permission = {
  id: 'modelperm-LwHkVFn8AcMItP432fKKDIKJ',
  object: 'model_permission',
  created: 1626777600,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: '*',
  group: null,
  is_blocking: false,
};

/** The card of a model that a vendor has. */
export const modelCardOf = (id: string, ownedBy: string): ModelCard => ({
  id,
  object: 'model',
  created: 1626777600,
  owned_by: ownedBy,
  permission: [permission],
  root: id,
  parent: null,
});

const cards = new Map<string, ModelCard>();
const makers = new Map<string, string>();
for (const { vendor, models } of withModels.filter((one) => one.vendor.ownsModels !== false)) {
  for (const id of models) {
    cards.set(id, modelCardOf(id, vendor.ownedBy));
    if (!makers.has(id)) makers.set(id, vendor.name);
  }
}

/** Every known model, each once. If several vendors have a name, the last one owns it. */
export const catalogue: readonly ModelCard[] = [...cards.values()];

/** The card of a model; a name outside the catalogue gets one of its own. */
export const modelCard = (id: string): ModelCard => cards.get(id) ?? { ...modelCardOf(id, 'custom'), permission: null };

/** The name of the first vendor that has a model, or the model that its name goes on from. Empty: unknown. */
export const makerOf = (id: string): string =>
  makers.get(id) ?? [...makers].find(([known]) => id.startsWith(`${known}-`))?.[1] ?? '';

/** Whether the catalogue holds a model of this name. */
export const isKnownModel = (id: string): boolean => cards.has(id);
