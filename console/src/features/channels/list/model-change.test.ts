import { expect, test } from 'vitest';
import { copyOf, effectOn } from './model-change.ts';

const channel = { models: 'gpt-4o,gpt-4o-mini', model_mapping: '' };

test('CHAN-20 adds missing models, removes present ones, and sends nothing without a change', () => {
  expect(effectOn(channel, { kind: 'add', names: ['o3', 'gpt-4o'] })).toMatchObject({
    added: 1,
    removed: 0,
    fields: { models: 'gpt-4o,gpt-4o-mini,o3' },
  });
  expect(effectOn(channel, { kind: 'remove', names: ['gpt-4o', 'o3'] })).toMatchObject({
    added: 0,
    removed: 1,
    fields: { models: 'gpt-4o-mini' },
  });
  expect(effectOn(channel, { kind: 'add', names: ['gpt-4o'] }).fields).toBeUndefined();
});

test('CHAN-20 keeps the last model of a channel', () => {
  expect(effectOn(channel, { kind: 'remove', names: ['gpt-4o', 'gpt-4o-mini'] })).toMatchObject({
    empties: true,
    fields: undefined,
  });
});

test('CHAN-19 CHAN-20 copies the models and redirects of a channel', () => {
  const source = copyOf({ models: 'o3,gpt-4o', model_mapping: '{"o3":"o3-2025"}' });
  expect(effectOn(channel, source)).toEqual({
    added: 1,
    removed: 1,
    redirects: true,
    empties: false,
    fields: { models: 'o3,gpt-4o', model_mapping: '{"o3":"o3-2025"}' },
  });
  expect(effectOn({ models: 'o3,gpt-4o', model_mapping: '{"o3":"o3-2025"}' }, source).fields).toBeUndefined();
});
