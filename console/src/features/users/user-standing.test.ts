import { expect, test } from 'vitest';
import { fixedReason, groupsOf, roleOf, statusOf } from './user-standing.ts';

test('USER-06 roles and statuses have their labels, and unknown numbers are labelled as unknown', () => {
  expect([1, 10, 100].map((number) => roleOf(number)())).toEqual([
    'Ordinary user',
    'Administrator',
    'Super administrator',
  ]);
  for (const number of [0, 5, 11, 99, 101, -1]) expect(roleOf(number)()).toBe('Unknown identity');
  expect([1, 2].map((status) => statusOf(status)[0]())).toEqual(['Activated', 'Banned']);
  for (const status of [0, 3, 9]) expect(statusOf(status)[0]()).toBe('Unknown status');
});

test('USER-06 groups are comma-separated, and none is the default group', () => {
  expect(groupsOf('vip')).toBe('vip');
  expect(groupsOf('vip,default , svip')).toBe('vip, default, svip');
  for (const none of ['', ' ', null, undefined]) expect(groupsOf(none)).toBe('default');
});

test('USER-03 no action is offered for role 100, nor for an equal or higher role', () => {
  expect(fixedReason(100, { role: 100 })?.()).toBe("The super administrator can't be changed here");
  expect(fixedReason(10, { role: 100 })?.()).toBe("The super administrator can't be changed here");
  expect(fixedReason(10, { role: 10 })?.()).toBe('Only a higher role can change this account');
  expect(fixedReason(100, { role: 10 })).toBeUndefined();
  expect(fixedReason(10, { role: 1 })).toBeUndefined();
});
