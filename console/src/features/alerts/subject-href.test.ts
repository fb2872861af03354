import { expect, test } from 'vitest';
import { subjectHref } from './subject-href.ts';

test.each([
  ['user 7', '/user/edit/7'],
  ['channel 12', '/channel/12'],
  ['budget 3', '/budget/edit/3'],
  ['model gpt-5 mini/latest', '/pricing?price=gpt-5+mini%2Flatest'],
  ['spend', '/margin?by=user&range=24h'],
  ['token 5', undefined],
  ['certificate example.com:443', undefined],
  ['L1 user 7', undefined],
  ['user x', undefined],
])('the subject %s of an alert links to %s', (key, href) => {
  expect(subjectHref({ key })).toBe(href);
});
