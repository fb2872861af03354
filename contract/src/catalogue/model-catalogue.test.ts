import { expect, test } from 'vitest';
import { catalogue, channelTypeModels, isKnownModel, makerOf, modelCard } from './model-catalogue.ts';
import { vendorList } from './vendors.ts';

test('every vendor has a list of default models, without doubles', () => {
  expect(Object.keys(channelTypeModels)).toHaveLength(vendorList.length);
  for (const { id } of vendorList) {
    const models = channelTypeModels[String(id)];
    expect(models, `type ${id}`).toBeInstanceOf(Array);
    expect(new Set(models).size, `type ${id}`).toBe(models?.length);
  }
});

test('the list holds each model once, with its owner', () => {
  const ids = catalogue.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(modelCard('gpt-4o')).toMatchObject({ object: 'model', owned_by: 'openai', root: 'gpt-4o', parent: null });
});

test('a model that the catalogue does not hold has a card of its own', () => {
  expect(isKnownModel('my-model')).toBe(false);
  expect(modelCard('my-model')).toMatchObject({ id: 'my-model', owned_by: 'custom', permission: null });
});

test('C39 a maker has its name as the vendors write it, also of a dated model that the catalogue does not hold', () => {
  const makers = ['gpt-4o', 'gpt-4o-2031-01-01', 'Baichuan2-Turbo', 'deepseek-chat', 'my-model'].map(makerOf);
  expect(makers).toEqual(['OpenAI', 'OpenAI', 'Baichuan', 'DeepSeek', '']);
});
