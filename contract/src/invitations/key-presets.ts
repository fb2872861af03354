import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { createToken, tokenNameMax } from '../tokens.ts';
import { idParams, integer, integerInput, textInput } from '../wire.ts';

/** Days after which a token of a preset may expire, at most. */
export const presetDaysMax = 3650;

/** What a new token begins with. */
export const keyPresetSchema = v.object({
  id: integer,
  /** Also the name of tokens that are made by it. */
  name: v.string(),
  /** Quota units; 0 with `unlimited_quota`. */
  remain_quota: integer,
  unlimited_quota: v.boolean(),
  /** Days from its creation until it expires; 0: it does not. */
  days: integer,
  /** As in tokens: comma-joined, empty: all. */
  models: v.string(),
  subnet: v.string(),
});
export type KeyPreset = v.InferOutput<typeof keyPresetSchema>;

const { remain_quota: remainQuota, unlimited_quota: unlimited, models, subnet } = createToken.body.entries;

const presetInput = {
  name: v.pipe(textInput(tokenNameMax), v.trim(), v.minLength(1)),
  remain_quota: remainQuota,
  unlimited_quota: unlimited,
  days: v.optional(v.pipe(integerInput, v.minValue(0), v.maxValue(presetDaysMax)), 0),
  models,
  subnet,
};
const createInput = v.object(presetInput);
export type KeyPresetInput = v.InferInput<typeof createInput>;

export const listKeyPresets = endpoint({
  method: 'GET',
  path: '/api/key-preset/',
  access: 'user',
  effect: false,
  summary: 'All key presets, by name.',
  data: v.array(keyPresetSchema),
});
export const createKeyPreset = endpoint({
  method: 'POST',
  path: '/api/key-preset/',
  access: 'admin',
  effect: true,
  summary: 'Create a key preset: what forms of new tokens, and invitations, begin with.',
  body: createInput,
  data: keyPresetSchema,
});
export const updateKeyPreset = endpoint({
  method: 'PUT',
  path: '/api/key-preset/',
  access: 'admin',
  effect: true,
  summary: 'Change a key preset. Tokens that were made by it stay as they are.',
  body: v.object({ id: integerInput, ...presetInput }),
  data: keyPresetSchema,
});
export const deleteKeyPreset = endpoint({
  method: 'DELETE',
  path: '/api/key-preset/:id',
  access: 'admin',
  effect: true,
  summary: 'Delete a key preset that no invitation uses.',
  params: idParams,
});
