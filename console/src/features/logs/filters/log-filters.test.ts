import { expect, test } from 'vitest';
import { activeFilters, allQuery, channelAround, filtersOf, hrefWith, noFilters, ownQuery } from './log-filters.ts';

const search = {
  p: 2,
  sort: 'time',
  token_name: 'Production',
  type: 2,
  username: 'user1',
  channel: 7,
  range: '7d',
  id: 5,
  at: 9,
} as const;

test('SHELL-20 only administrators filter by username and channel', () => {
  expect(filtersOf(search, true)).toEqual({
    token_name: 'Production',
    type: 2,
    username: 'user1',
    channel: 7,
    range: '7d',
  });
  expect(filtersOf(search, false)).toEqual({ token_name: 'Production', type: 2, range: '7d' });
});

test('LOG-01 unset filters are sent as empty or zero', () => {
  expect(allQuery({}, { start: 0, end: 0 })).toEqual({
    type: 0,
    token_name: '',
    model_name: '',
    start_timestamp: 0,
    end_timestamp: 0,
    username: '',
    channel: 0,
    without_tests: 1,
  });
});

test('C24 tests are requested if a type or a channel is chosen', () => {
  const bounds = { start: 0, end: 0 };
  const tested = [{ type: 0 }, { type: 5 }, { channel: 7 }] as const;
  expect(tested.map((filters) => allQuery(filters, bounds).without_tests)).toEqual([0, 0, 0]);
});

test('LOG-04 the own log is requested without username and channel', () => {
  const query = ownQuery(filtersOf(search, true), { start: 1, end: 2 });
  expect(query).toEqual({ type: 2, token_name: 'Production', model_name: '', start_timestamp: 1, end_timestamp: 2 });
});

test('LOG-01 the filters besides the range are listed in order, and clearing removes exactly them', () => {
  const active = activeFilters(filtersOf(search, true));
  expect(active).toEqual([
    ['token_name', 'Production'],
    ['type', '2'],
    ['username', 'user1'],
    ['channel', '7'],
  ]);
  expect(activeFilters(filtersOf({ ...search, ...cleared() }, true))).toEqual([]);
  expect(filtersOf({ ...search, ...cleared() }, true)).toEqual({ range: '7d' });
});

const cleared = () => Object.fromEntries(Object.keys(noFilters).map((name) => [name, undefined]));

test('LOG-05 a related link keeps only the range', () => {
  expect(hrefWith(search, { model_name: 'gpt-4o mini' })).toBe('/log?range=7d&model_name=gpt-4o+mini');
  expect(hrefWith({ start_timestamp: 3 }, { username: '陈' })).toBe('/log?start_timestamp=3&username=%E9%99%88');
  expect(channelAround(7, 1000)).toBe('/log?channel=7&start_timestamp=700&end_timestamp=1300');
});

test('LOG-04 the log of a team, or of one of its tokens, is that of the account in requests and links, and no filter to clear', () => {
  const ofTeam = { ...search, team: 4, token_id: 9 };
  const filters = filtersOf(ofTeam, false);
  expect(ownQuery(filters, { start: 0, end: 0 })).toMatchObject({ team: 4, token_id: 9, token_name: 'Production' });
  expect(ownQuery(filtersOf({ team: 4 }, false), { start: 0, end: 0 })).toMatchObject({ team: 4, token_id: 0 });
  expect(hrefWith(ofTeam, { model_name: 'o3' })).toBe('/log?team=4&token_id=9&range=7d&model_name=o3');
  expect(filtersOf({ ...ofTeam, ...cleared() }, false)).toEqual({ team: 4, token_id: 9, range: '7d' });
  // Administrators find a team by its name.
  expect(filtersOf(ofTeam, true)).not.toHaveProperty('team');
});
