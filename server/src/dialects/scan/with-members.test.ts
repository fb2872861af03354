import { expect, test } from 'vitest';
import { withMembers } from './with-members.ts';

test.each([
  ['{"model":"m","stream":true,"n":1.10}', { model: null, stream: null, v: '"1"' }, '{"v":"1","n":1.10}'],
  ['{ "n" : 1e2 , "mod\\u0065l" : "m" }', { model: null }, '{"n" : 1e2}'],
  ['{}', { v: '2' }, '{"v":2}'],
  ['{"v":1,"v":2}', { v: null }, '{}'],
])('R24 the members of %s', (body, changes, expected) => {
  expect(withMembers(Buffer.from(body), changes).toString()).toBe(expected);
});
