import type { Token } from '@weir/contract/tokens';
import { expect, test } from 'vitest';
import { isSpent, statusNow, statusOf, viewKeeps } from './token-status.ts';

const now = 1_800_000_000;
const token: Token = {
  id: 1,
  user_id: 1,
  key: '',
  status: 1,
  name: '',
  created_time: 0,
  accessed_time: 0,
  expired_time: -1,
  remain_quota: 0,
  unlimited_quota: false,
  used_quota: 0,
  models: '',
  subnet: '',
};

test('TOK-01 labels every status, also unknown ones', () => {
  expect([1, 2, 3, 4, 9].map((status) => statusOf(status)[0]())).toEqual([
    'Enabled',
    'Disabled',
    'Expired',
    'Exhausted',
    'Unknown',
  ]);
});

test('TOK-10 counts expired and exhausted tokens as spent', () => {
  expect([1, 2, 3, 4].map((status) => isSpent({ ...token, status }))).toEqual([false, false, true, true]);
});

test('a view keeps the tokens that match it', () => {
  const expiring = viewKeeps('expiring', now);
  expect(expiring({ ...token, expired_time: now + 6 * 86_400 })).toBe(true);
  expect(expiring({ ...token, expired_time: now + 8 * 86_400 })).toBe(false);
  expect(expiring(token)).toBe(false);
  expect(viewKeeps('exhausted', now)({ ...token, status: 4 })).toBe(true);
  expect(viewKeeps('enabled', now)({ ...token, status: 2 })).toBe(false);
});

test('C52 an enabled token whose time is past counts as expired before it is used', () => {
  const past = Math.floor(Date.now() / 1000) - 60;
  expect(statusNow({ status: 1, expired_time: past })).toBe(3);
  expect(statusNow({ status: 1, expired_time: past + 3600 })).toBe(1);
  expect(statusNow({ status: 1, expired_time: -1 })).toBe(1);
  expect(statusNow({ status: 2, expired_time: past })).toBe(2);
});
