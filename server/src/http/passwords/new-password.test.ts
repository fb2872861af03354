import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hashNewPassword } from './new-password.ts';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords({ memory: 64, passes: 1, parallelism: 1 });
const refusalOf = (password: string, ...names: string[]) =>
  hashNewPassword(passwords, password, ...names).then(
    () => undefined,
    (error: unknown) => error,
  );

test('REG-03 a password has 8 to 128 characters, counted as characters, of any kind', async () => {
  expect(await refusalOf('Xk3vQp9')).toMatchObject({ code: 'password_too_short' });
  expect(await refusalOf('🌊'.repeat(7))).toMatchObject({ code: 'password_too_short' });
  expect(await refusalOf('🌊水山火'.repeat(2))).toBeUndefined();
  expect(await refusalOf('Xk3vQp9 ')).toBeUndefined();
  expect(await refusalOf('水火山木'.repeat(32))).toBeUndefined();
  expect(await refusalOf('水'.repeat(129))).toMatchObject({ code: 'password_too_long' });
});

test('REG-03 what guessers try first is refused, however it is written, but not where it is a part', async () => {
  for (const password of ['password', '12345678', 'Password1', 'ELIZABETH', 'ｐａｓｓｗｏｒｄ', 'woaini1314']) {
    expect(await refusalOf(password), password).toMatchObject({ code: 'password_too_common' });
  }
  expect(await refusalOf('my password is password')).toBeUndefined();
});

test('REG-03 a password is not the name of the account, its address or the gateway', async () => {
  const names = ['AdaLovelace', 'ada@example.com', 'Weir of the North'];
  for (const password of ['adalovelace', 'ADA@example.com', 'weir of the north']) {
    expect(await refusalOf(password, ...names), password).toMatchObject({ code: 'password_too_common' });
  }
  expect(await refusalOf('adalovelace1', ...names)).toBeUndefined();
});

test('the list holds more than 3,000 passwords that are long enough, each once and as they are compared', () => {
  const list = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  expect(new Set(list).size).toBe(list.length);
  expect(list.length).toBeGreaterThan(3000);
  expect(list.filter((one) => [...one].length < 8 || one !== one.normalize('NFKC').toLowerCase())).toEqual([]);
});
