import { channelType } from './channel-types.ts';
import type { ModelCard } from '../models.ts';
import models from './channel-models.json' with { type: 'json' };

/** Default model names of each channel type, by type id as text. */
export const channelTypeModels: Readonly<Record<string, string[]>> = models;

/** One type per wire format and vendor, in the order in which the reference lists their models (wire contract 3.4). */
const listedTypes = [
  1, 14, 11, 15, 16, 17, 18, 23, 24, 30, 33, 34, 35, 37, 38, 42, 43, 46, 19, 25, 26, 27, 40, 28, 29, 31, 32, 36, 39, 41,
  44, 45, 47, 48,
];

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

const knownCard = (id: string, ownedBy: string): ModelCard => ({
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
for (const type of listedTypes) {
  const ownedBy = channelType(type)?.ownedBy ?? 'custom';
  for (const id of channelTypeModels[String(type)] ?? []) {
    cards.set(id, knownCard(id, ownedBy));
    if (!makers.has(id)) makers.set(id, ownedBy);
  }
}

/** Every model the gateway knows, each once. Of a name that several vendors have, the last one counts. */
export const catalogue: readonly ModelCard[] = [...cards.values()];

/** The card of a model; a name outside the catalogue gets one of its own. */
export const modelCard = (id: string): ModelCard => cards.get(id) ?? { ...knownCard(id, 'custom'), permission: null };

/** Who made a model, as far as the catalogue knows: the first of the vendors that have it. Empty: unknown. */
export const makerOf = (id: string): string => makers.get(id) ?? '';

/** Whether the catalogue holds a model of this name. */
export const isKnownModel = (id: string): boolean => cards.has(id);
