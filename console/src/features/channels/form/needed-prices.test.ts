import { expect, test } from 'vitest';
import { blankChannel, problemOf } from './channel-values.ts';
import { isLocal, pricesOf, sentModels } from './needed-prices.ts';

test.each([
  [30, '', true],
  [30, 'http://ollama:11434', true],
  [30, 'https://ollama.example.com', false],
  [8, 'http://localhost:8080/v1', true],
  [8, 'http://127.0.0.1:8080', true],
  [50, 'http://192.168.1.20:8000', true],
  [50, 'http://172.20.0.3', true],
  [50, 'http://172.32.0.3', false],
  [50, 'http://10.1.2.3', true],
  [50, 'http://vllm.internal', true],
  [50, 'http://[fd00::1]:8000', true],
  [50, 'https://api.example.com', false],
  [50, 'https://10.example.com', false],
  [1, '', false],
  [50, 'no address', false],
])('type %d at %j: of the own machine %s', (type, baseUrl, local) => {
  expect(isLocal({ type, baseUrl })).toBe(local);
});

test('prices are for the names that the upstream is called with', () => {
  expect(sentModels({ models: 'a,b,c', mapping: '{"a":"x","b":"x","c":""}' })).toEqual(['x', 'c']);
  expect(sentModels({ models: 'a', mapping: '{' })).toEqual(['a']);
});

test('free is suggested for a local server, and an empty price leaves the model without one', () => {
  const local = { ...blankChannel, type: 30 };
  const free = { rates: { input: '0', output: '0' } };
  expect(pricesOf(local, ['llama'])).toEqual([{ model: 'llama', card: free }]);
  expect(pricesOf(blankChannel, ['llama'])).toEqual([]);
  const typed = { free: false, input: '$0,5', output: '' };
  expect(pricesOf({ ...local, prices: { llama: typed } }, ['llama', 'other'])).toEqual([
    { model: 'llama', card: { rates: { input: '0.5', output: '0' } } },
    { model: 'other', card: free },
  ]);
});

test('a price that cannot be read is an error of the form', () => {
  const values = { ...blankChannel, name: 'A', models: 'a' };
  const price = (input: string, output = '') => ({ ...values, prices: { a: { free: false, input, output } } });
  expect(problemOf(price('ten'), 'key')).toBe('prices');
  expect(problemOf(price('', '1'), 'key')).toBe('prices');
  expect(problemOf(price('1', '2'), 'key')).toBeUndefined();
  expect(problemOf(price(''), 'key')).toBeUndefined();
});
