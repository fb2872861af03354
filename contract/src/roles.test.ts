import { expect, test } from 'vitest';
import { can, outranks, role } from './roles.ts';

test('SHELL-20 roles are thresholds: a number between two acts as the lower, no signed-in user as neither', () => {
  const accesses = ['public', 'user', 'admin', 'root'] as const;
  const allowed = (number: number | undefined) => accesses.filter((access) => can(number, access));
  expect(allowed(undefined)).toEqual(['public']);
  expect(allowed(0)).toEqual(['public']);
  for (const number of [1, 9]) expect(allowed(number)).toEqual(['public', 'user']);
  for (const number of [10, 99]) expect(allowed(number)).toEqual(['public', 'user', 'admin']);
  for (const number of [100, 101]) expect(allowed(number)).toEqual(accesses);
});

test('USER-03 only root acts on an equal or higher role', () => {
  expect(outranks(role.admin, role.user)).toBe(true);
  expect(outranks(role.admin, role.admin)).toBe(false);
  expect(outranks(role.user, role.user)).toBe(false);
  expect(outranks(role.root, role.root)).toBe(true);
});
