import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '../../../lib/lists/search-params.ts';
import { logsSearch } from './logs-search.ts';

const reload = (address: string) => stringifySearch(logsSearch(parseSearch(address)));

test('LOG-05 filters, range, order, page, total and the open record survive a reload', () => {
  const address =
    '?p=3&size=50&sort=-quota&hide=channel&token_name=Mobile+app&model_name=gpt-4o&username=%E9%99%88%E5%A4%A7%E6%96%87' +
    '&channel=7&type=2&range=7d&total=1&id=-8768421686274042&at=1795243000';
  expect(Object.fromEntries(new URLSearchParams(reload(address)))).toEqual(
    Object.fromEntries(new URLSearchParams(address)),
  );
});

test('LOG-05 custom times survive a reload', () => {
  expect(reload('?start_timestamp=1795236822&end_timestamp=1795244022')).toBe(
    '?start_timestamp=1795236822&end_timestamp=1795244022',
  );
});

test('LOG-05 unknown parameters, defaults and invalid values are removed from the address', () => {
  expect(reload('?type=9&channel=abc&foo=1&range=24h&token_name=%20%20&size=13&p=0&start_timestamp=-5&id=x')).toBe('');
  expect(reload('?type=&channel=0&total=0')).toBe('');
});

test('LOG-01 C24 the type filter accepts 0 to 5; without it administrators see all but tests', () => {
  const types = ['0', '1', '2', '3', '4', '5', '6', ''].map((type) => logsSearch({ type }).type);
  expect(types).toEqual([0, 1, 2, 3, 4, 5, undefined, undefined]);
  expect(reload('?type=0')).toBe('?type=0');
});

test('LOG-05 a name is trimmed and cut at the length limit of the wire', () => {
  expect(logsSearch({ token_name: `  ${'n'.repeat(500)}` }).token_name).toBe('n'.repeat(256));
});
