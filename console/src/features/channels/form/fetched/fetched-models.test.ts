import type { FetchedModel } from '@weir/contract/channels';
import { expect, test } from 'vitest';
import { changeOf, chosenAtFirst, partOf, withAll, withoutAll } from './fetched-models.ts';

const model = (name: string, offered: boolean, listed: boolean): FetchedModel => ({
  name,
  sent: name,
  offered,
  listed,
  price: 'vendor',
});
const models = [model('both', true, true), model('gone', true, false), model('new-1', false, true)];

test('a model is new, gone or there, and what the channel offers is chosen at first', () => {
  expect(models.map(partOf)).toEqual(['both', 'gone', 'new']);
  expect([...chosenAtFirst(models, false)]).toEqual(['both', 'gone']);
});

test('the defaults of a type give way to what the provider lists', () => {
  expect([...chosenAtFirst(models, true)]).toEqual(['both', 'new-1']);
});

test('all of a part come and go at once, and the change keeps the order of the comparison', () => {
  const chosen = withoutAll(withAll(chosenAtFirst(models, false), [model('new-1', false, true)]), [
    model('gone', true, false),
  ]);
  expect(changeOf(models, chosen)).toEqual({ names: ['both', 'new-1'], added: 1, removed: 1 });
  expect(changeOf(models, chosenAtFirst(models, false))).toEqual({ names: ['both', 'gone'], added: 0, removed: 0 });
});
