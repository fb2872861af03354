import * as v from 'valibot';
import { modelFacts } from './catalogue/model-facts.ts';
import { endpoint } from './endpoint.ts';
import { priceSources } from './prices/price-book.ts';
import { idParams, integer, integerInput, pageQuery, textInput, textQuery } from './wire.ts';

/** 0 unknown, 1 enabled, 2 disabled by hand, 3 disabled by the system. A caller can set only 1 or 2. */
export const channelStatus = { unknown: 0, enabled: 1, disabled: 2, autoDisabled: 3 } as const;

export const channelSchema = v.object({
  id: integer,
  type: integer,
  /** Always empty in answers: keys never go back to a browser. */
  key: v.string(),
  status: integer,
  /** Why the system disabled the channel; empty: it did not. Other gateways of this contract have no such member. */
  status_reason: v.optional(v.string()),
  name: v.string(),
  weight: integer,
  /** Unix seconds, as all times here. */
  created_time: integer,
  test_time: integer,
  /** Milliseconds of the last test; 0: untested, or it failed. */
  response_time: integer,
  /** Why the last test failed; empty: it did not. Other gateways of this contract have no such member. */
  test_error: v.optional(v.string()),
  base_url: v.string(),
  other: v.string(),
  balance: v.number(),
  /** `USD` or `CNY`; empty or absent: the unit of the channel's type. Other gateways of this contract have no such member. */
  balance_currency: v.optional(v.string()),
  balance_updated_time: integer,
  /** Comma-joined. */
  models: v.string(),
  /** Comma-joined. */
  group: v.string(),
  used_quota: integer,
  /** JSON object text, or empty. */
  model_mapping: v.string(),
  priority: integer,
  /** JSON object text, or empty. */
  config: v.string(),
  system_prompt: v.string(),
});
export type Channel = v.InferOutput<typeof channelSchema>;

const text = (maxCharacters: number) => v.nullish(textInput(maxCharacters));
const channelInput = {
  type: v.optional(v.pipe(integerInput, v.minValue(0), v.maxValue(1_000_000))),
  key: v.optional(textInput(65_536)),
  name: v.optional(textInput(256)),
  status: v.optional(integerInput),
  weight: v.nullish(integerInput),
  priority: v.nullish(integerInput),
  base_url: text(2048),
  other: text(8192),
  models: text(65_536),
  group: text(1024),
  model_mapping: text(65_536),
  config: text(65_536),
  system_prompt: text(65_536),
};

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channel/',
  access: 'admin',
  effect: false,
  summary: 'One page of the channels, newest first.',
  query: v.object({ p: pageQuery }),
  counted: true,
  data: v.array(channelSchema),
});
export const searchChannels = endpoint({
  method: 'GET',
  path: '/api/channel/search',
  access: 'admin',
  effect: false,
  summary: 'Channels by ID, part of the name, full key or its last four characters.',
  query: v.object({ keyword: textQuery }),
  data: v.array(channelSchema),
});
export const getChannel = endpoint({
  method: 'GET',
  path: '/api/channel/:id',
  access: 'admin',
  effect: false,
  summary: 'One channel, without its key.',
  params: idParams,
  data: channelSchema,
});
export const createChannel = endpoint({
  method: 'POST',
  path: '/api/channel/',
  access: 'admin',
  effect: true,
  summary: 'Create one channel per line of `key`.',
  body: v.object(channelInput),
});
export const updateChannel = endpoint({
  method: 'PUT',
  path: '/api/channel/',
  access: 'admin',
  effect: true,
  summary: 'Change a channel; absent members and an empty key stay unchanged.',
  body: v.object({ id: integerInput, ...channelInput }),
  data: channelSchema,
});
export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channel/:id',
  access: 'admin',
  effect: true,
  summary: 'Delete a channel; it takes no requests from now on.',
  params: idParams,
});
export const testChannel = endpoint({
  method: 'GET',
  path: '/api/channel/test/:id',
  access: 'admin',
  effect: true,
  summary: 'Send one small request through the channel and time it.',
  params: idParams,
  query: v.object({ model: textQuery }),
  extra: v.object({ time: v.number(), modelName: v.string() }),
});
export const testChannels = endpoint({
  method: 'GET',
  path: '/api/channel/test',
  access: 'admin',
  effect: true,
  summary: 'Start a test of all channels, or of the disabled ones, in the background; refused while one runs.',
  query: v.object({ scope: textQuery }),
});
const fetchedModelSchema = v.object({
  /** The name that clients call it by. */
  name: v.string(),
  /** The name that the provider gets: another one where the channel redirects it. */
  sent: v.string(),
  /** The provider lists it. */
  listed: v.boolean(),
  /** The channel offers it. */
  offered: v.boolean(),
  /** Where its price comes from. */
  price: v.picklist(priceSources),
  ...modelFacts,
});
export type FetchedModel = v.InferOutput<typeof fetchedModelSchema>;

/** What is typed in the form of a channel that may not be stored yet. */
export const fetchChannelModels = endpoint({
  method: 'POST',
  path: '/api/channel/fetch_models',
  access: 'admin',
  effect: true,
  summary:
    'The models that a provider lists for a key, beside those that a channel offers; with `id`, an empty key is the stored one.',
  body: v.object({
    id: v.optional(integerInput),
    type: integerInput,
    key: v.optional(textInput(65_536), ''),
    base_url: v.optional(textInput(2048), ''),
    other: v.optional(textInput(8192), ''),
    config: v.optional(textInput(65_536), ''),
    models: v.optional(textInput(65_536), ''),
    model_mapping: v.optional(textInput(65_536), ''),
  }),
  data: v.object({
    /** False: the provider lists more than is read. */
    complete: v.boolean(),
    /** Those that the channel offers in its order, then the others that the provider lists. */
    models: v.array(fetchedModelSchema),
  }),
});
export const deleteDisabledChannels = endpoint({
  method: 'DELETE',
  path: '/api/channel/disabled',
  access: 'admin',
  effect: true,
  summary: 'Delete every channel that is disabled, by hand or by the system; answers how many.',
  data: integer,
});
export const updateChannelBalance = endpoint({
  method: 'GET',
  path: '/api/channel/update_balance/:id',
  access: 'admin',
  effect: true,
  summary: 'Fetch the balance of a channel from its provider and store it.',
  params: idParams,
  extra: v.object({ balance: v.number(), currency: v.optional(v.string()) }),
});
export const updateChannelBalances = endpoint({
  method: 'GET',
  path: '/api/channel/update_balance',
  access: 'admin',
  effect: true,
  summary: 'Update the balances of all enabled channels in the background.',
});
