import { afterAll, beforeAll, expect, test } from 'vitest';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { buildTestApp, type Caller, type TestApp, type TestUser } from '../../../test/app/app.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await buildTestApp({ trustedProxies: ['127.0.0.1'] });
  admin = await app.addUser('admin', role.admin);
});
afterAll(() => app.close());

const redeemPath = '/api/user/topup';
const make = async (count: number): Promise<string[]> => {
  const body = { name: 'gift', quota: 1000, count };
  return v.parse(v.array(v.string()), await admin.data('POST', '/api/redemption/', body));
};
const redeem = (who: Caller, key: string) => who.data('POST', redeemPath, { key });

test('AUTH-11 fifty wrong codes block a network for an hour, whichever user tries; valid and used ones do not count', async () => {
  const from = { headers: { 'x-forwarded-for': '198.51.100.7' } };
  const keys = await make(60);
  const redeemer = await app.addUser('collector');
  for (const key of [...keys, ...keys]) {
    expect((await redeemer.call('POST', redeemPath, { ...from, body: { key } })).status).toBe(200);
  }
  for (let number = 0; number < 5; number += 1) {
    const user = await app.addUser(`many${number}`);
    for (let wrong = 0; wrong < 10; wrong += 1) {
      const body = { key: `${number}${wrong}`.padStart(32, '0') };
      expect((await user.call('POST', redeemPath, { ...from, body })).status).toBe(200);
    }
  }
  const last = await app.addUser('sixth');
  const [key = ''] = await make(1);
  expect((await last.call('POST', redeemPath, { ...from, body: { key } })).status).toBe(429);
  expect(await redeem(last, key)).toBe(1000);
});

test('AUTH-11 ten wrong codes block a user for an hour, and no other', async () => {
  const guesser = await app.addUser('guesser');
  const honest = await app.addUser('honest');
  const [code = '', next = ''] = await make(2);
  const guess = (who: Caller, address: string, key: string) =>
    who.call('POST', redeemPath, { body: { key }, headers: { 'x-forwarded-for': address } });
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, index) => guess(guesser, `203.0.113.${index}`, String(index).padStart(32, '0'))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  expect((await guess(guesser, '203.0.113.1', code)).status).toBe(429);
  expect(await redeem(honest, code)).toBe(1000);
  app.clock.advance(3_601_000);
  expect(await redeem(guesser, next)).toBe(1000);
});
