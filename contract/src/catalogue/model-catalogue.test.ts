import { expect, test } from 'vitest';
import { channelTypes } from './channel-types.ts';
import { catalogue, channelTypeModels, isKnownModel, modelCard } from './model-catalogue.ts';

test('every channel type of the specification has a list of default models', () => {
  for (const { key } of channelTypes) expect(channelTypeModels[String(key)], String(key)).toBeInstanceOf(Array);
});

test('the catalogue holds each model once, with whose it is', () => {
  const ids = catalogue.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(471);
  expect(modelCard('gpt-4o')).toMatchObject({ object: 'model', owned_by: 'openai', root: 'gpt-4o', parent: null });
});

test('a model that the catalogue does not hold has a card of its own', () => {
  expect(isKnownModel('my-model')).toBe(false);
  expect(modelCard('my-model')).toMatchObject({ id: 'my-model', owned_by: 'custom', permission: null });
});
