import { expect, test } from 'vitest';
import { alertsOf } from './alerts.ts';

const now = 1_800_000_000;
const day = 86_400;

const usual = { status: 1, expired_time: -1, unlimited_quota: true, remain_quota: 0, used_quota: 0 };
const key = (name: string, values: Partial<typeof usual>) => ({ ...usual, name, ...values });
const channel = (name: string, status: number, test_time: number) => ({ name, status, test_time });

interface Known {
  readonly keys?: readonly ReturnType<typeof key>[];
  readonly channels?: readonly ReturnType<typeof channel>[];
  readonly balance?: number;
  readonly limit?: number;
  readonly unlimitedPeer?: string;
}
const found = ({ keys = [], channels = [], balance, limit, unlimitedPeer = '' }: Known) =>
  alertsOf({ keys, channels, balance, limit, unlimitedPeer, now }).map((alert) => [
    alert.kind,
    'token' in alert
      ? alert.token.name
      : 'channel' in alert
        ? alert.channel.name
        : 'peer' in alert
          ? alert.peer
          : alert.limit,
  ]);

test('tokens that expire within 7 days or are nearly used up raise an alert, others do not', () => {
  const keys = [
    key('ends', { expired_time: now + 6 * day }),
    key('later', { expired_time: now + 8 * day }),
    key('used', { unlimited_quota: false, remain_quota: 9, used_quota: 91 }),
    key('half', { unlimited_quota: false, remain_quota: 50, used_quota: 50 }),
    key('off', { status: 2, expired_time: now + day }),
  ];
  expect(found({ keys })).toEqual([
    ['key-expires', 'ends'],
    ['key-used', 'used'],
  ]);
});

test('a low balance comes first, then channels that the system disabled or that were never tested', () => {
  const channels = [
    channel('tested', 1, now),
    channel('untested', 1, 0),
    channel('by hand', 2, 0),
    channel('auto', 3, 0),
  ];
  expect(found({ channels, balance: 999, limit: 1000 })).toEqual([
    ['balance', 1000],
    ['channel-untested', 'untested'],
    ['channel-off', 'auto'],
  ]);
  expect(found({ balance: 1000, limit: 1000 })).toEqual([]);
  expect(found({ balance: 5 })).toEqual([]);
});

test('S16 calls without limits per network come first', () => {
  expect(found({ balance: 1, limit: 2, unlimitedPeer: '172.17.0.1' })).toEqual([
    ['network-limits', '172.17.0.1'],
    ['balance', 2],
  ]);
});
