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
export const listAvailableModels = endpoint({
  method: 'GET',
  path: '/api/user/available_models',
  access: 'user',
  effect: false,
  summary: 'The models that enabled channels offer to your group.',
  data: v.array(v.string()),
});
