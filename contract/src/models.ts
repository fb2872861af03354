import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { integer } from './wire.ts';

export const modelCardSchema = v.object({
  id: v.string(),
  object: v.literal('model'),
  created: integer,
  owned_by: v.string(),
  permission: v.nullable(v.array(v.looseObject({}))),
  root: v.string(),
  parent: v.null(),
});
export type ModelCard = v.InferOutput<typeof modelCardSchema>;

export const listChannelTypeModels = endpoint({
  method: 'GET',
  path: '/api/models',
  access: 'user',
  effect: false,
  summary: 'The default model names of each channel type, by type id.',
  data: v.record(v.string(), v.array(v.string())),
});
export const listCatalogueModels = endpoint({
  method: 'GET',
  path: '/api/channel/models',
  access: 'admin',
  effect: false,
  form: 'bare',
  summary: 'Every model name the gateway knows.',
  data: v.object({ object: v.literal('list'), data: v.array(modelCardSchema) }),
});
/** Days before its end from which a model counts as retiring. */
export const retiringDays = 60;

export const listRetiringModels = endpoint({
  method: 'GET',
  path: '/api/channel/retiring',
  access: 'admin',
  effect: false,
  summary: `Models that their vendors have ended or end within ${retiringDays} days, by the enabled channels that offer them.`,
  data: v.array(
    v.object({
      id: integer,
      name: v.string(),
      /** The first to end first. */
      models: v.array(
        v.object({
          /** The name that clients call it by. */
          model: v.string(),
          /** The day of its end, as `2026-11-24`. */
          ends: v.string(),
          /** A later version that the vendor offers; empty: none is known. */
          replacement: v.string(),
        }),
      ),
      /** Further ones that are not listed. */
      more: integer,
    }),
  ),
});

export const listAvailableModels = endpoint({
  method: 'GET',
  path: '/api/user/available_models',
  access: 'user',
  effect: false,
  summary: 'The models that enabled channels offer to your group.',
  data: v.array(v.string()),
});
