import { expect, test } from 'vitest';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords();

test('a password matches its own hash alone, whatever form its characters came in', async () => {
  const encoded = await passwords.hash('caf\u00e9 \u6c34 password');
  expect(encoded).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await passwords.matches('cafe\u0301 \u6c34 password', encoded)).toBe(true);
  expect(await passwords.matches('caf\u00e9 \u6c34 Password', encoded)).toBe(false);
  expect(await passwords.hash('caf\u00e9 \u6c34 password')).not.toBe(encoded);
});

test('an account that does not exist, and one whose hash cannot be read, match nothing', async () => {
  for (const encoded of [undefined, '', 'x', '$2a$10$bcrypt']) expect(await passwords.matches('', encoded)).toBe(false);
});

/** `password 水` by bcrypt of cost 10, as One API stores it. */
const imported = '$2a$10$WNKAlOWkDNSRQP91bKuQQuDH4MLkRPnM2mM0yZrc33f513HbxbqpC';

test('AUTH-01 the hash of an imported account is understood, and is not how hashes are made here', async () => {
  expect(await passwords.matches('password 水', imported)).toBe(true);
  expect(await passwords.matches('password 水 ', imported)).toBe(false);
  expect(passwords.isCurrent(imported)).toBe(false);
  expect(await passwords.matches('password 水', imported.replace('$10$', '$31$'))).toBe(false);
});

test('a hash of another cost is right, but not current', async () => {
  const cheap = await createPasswords({ memory: 64, passes: 1, parallelism: 1 }).hash('a password');
  expect(await passwords.matches('a password', cheap)).toBe(true);
  expect(passwords.isCurrent(cheap)).toBe(false);
  expect(passwords.isCurrent(await passwords.hash('a password'))).toBe(true);
  expect(passwords.isCurrent('')).toBe(false);
});

test('AUTH-11 of many calls four are hashed at once, 64 wait and the rest is refused at once', async () => {
  const results = await Promise.allSettled(Array.from({ length: 80 }, () => passwords.matches('x', undefined)));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(80 - 4 - 64);
  expect(String(refused[0]?.reason)).toContain('too_many_attempts');
  expect(await passwords.matches('x', undefined)).toBe(false);
});
