import { expect, test } from 'vitest';
import { alertsOf } from './alerts.ts';

const now = 1_800_000_000;
const day = 86_400;

const usual = { status: 1, expired_time: -1, unlimited_quota: true, remain_quota: 0, used_quota: 0 };
const key = (name: string, values: Partial<typeof usual>) => ({ ...usual, name, ...values });
const channel = (name: string, status: number, test_time: number, id = 0) => ({ id, name, status, test_time });
type Counts = readonly [succeeded: number, failed: number, recentSucceeded: number, recentFailed: number];
const traffic = (id: number, [succeeded, failed, hour_succeeded, hour_failed]: Counts) => ({
  id,
  succeeded,
  failed,
  hour_succeeded,
  hour_failed,
});

interface Known {
  readonly keys?: readonly ReturnType<typeof key>[];
  readonly channels?: readonly ReturnType<typeof channel>[];
  readonly balance?: number;
  readonly limit?: number;
  readonly unlimitedPeer?: string;
  readonly traffic?: readonly ReturnType<typeof traffic>[];
  readonly unpriced?: Parameters<typeof alertsOf>[0]['unpriced'];
  readonly retiring?: Parameters<typeof alertsOf>[0]['retiring'];
  readonly book?: Parameters<typeof alertsOf>[0]['book'];
  readonly mismatches?: number;
  readonly silence?: { readonly gateway: boolean; readonly models: readonly string[] };
}
const found = ({ unlimitedPeer = '', ...known }: Known) =>
  alertsOf({
    keys: [],
    channels: [],
    traffic: [],
    unpriced: { rule: 'refuse', models: [] },
    retiring: [],
    book: undefined,
    mismatches: 0,
    silence: { gateway: false, models: [] },
    balance: undefined,
    limit: undefined,
    ...known,
    unlimitedPeer,
    now,
  }).map((alert) => {
    switch (alert.kind) {
      case 'key-expires':
      case 'key-used':
        return [alert.kind, alert.token.name];
      case 'channel-off':
      case 'channel-untested':
      case 'channel-failing':
        return [alert.kind, alert.channel.name];
      case 'unpriced':
        return [alert.kind, alert.models.join()];
      case 'retiring':
        return [alert.kind, alert.retiring.name];
      case 'ledger':
        return [alert.kind, alert.count];
      case 'balance':
        return [alert.kind, alert.limit];
      case 'price-book':
        return [alert.kind, alert.reason, alert.name];
      case 'silent-gateway':
        return [alert.kind];
      case 'silent-model':
        return [alert.kind, alert.model];
      case 'network-limits':
        return [alert.kind, alert.peer];
    }
    return [];
  });

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

test('C13 channels on which most attempts fail, models without a price and a mismatch of the ledger raise alerts', () => {
  const channels = [
    channel('fails', 1, now, 1),
    channel('works', 1, now, 2),
    channel('few calls', 1, now, 3),
    channel('failed earlier', 1, now, 4),
    channel('mended', 1, now, 5),
    channel('by hand', 2, now, 6),
  ];
  const counts = [
    traffic(1, [90, 12, 0, 12]),
    traffic(2, [10, 5, 10, 5]),
    traffic(3, [0, 4, 0, 4]),
    traffic(4, [1, 8, 0, 1]),
    traffic(5, [1, 8, 1, 0]),
    traffic(6, [0, 20, 0, 20]),
  ];
  expect(
    found({ channels, traffic: counts, unpriced: { rule: 'fallback', models: ['a', 'b'] }, mismatches: 2 }),
  ).toEqual([
    ['ledger', 2],
    ['channel-failing', 'fails'],
    ['channel-failing', 'failed earlier'],
    ['unpriced', 'a,b'],
  ]);
});

test('C13 a silent gateway comes before failing channels, silent models after them', () => {
  const channels = [channel('fails', 1, now, 1)];
  const counts = [traffic(1, [0, 9, 0, 9])];
  expect(found({ channels, traffic: counts, silence: { gateway: true, models: [] } })).toEqual([
    ['silent-gateway'],
    ['channel-failing', 'fails'],
  ]);
  expect(found({ channels, traffic: counts, silence: { gateway: false, models: ['a', 'b'] } })).toEqual([
    ['channel-failing', 'fails'],
    ['silent-model', 'a'],
    ['silent-model', 'b'],
  ]);
});

test('models without a price need attention, unless the operator lets them be free', () => {
  const kinds = (rule: 'refuse' | 'fallback' | 'free') => found({ unpriced: { rule, models: ['a'] } });
  expect(kinds('refuse')).toEqual([['unpriced', 'a']]);
  expect(kinds('fallback')).toEqual([['unpriced', 'a']]);
  expect(kinds('free')).toEqual([]);
});

test('channels with models that their vendor ends have a line each, at most five', () => {
  const channelOf = (id: number) => ({
    id,
    name: `c${id}`,
    models: [{ model: 'a', ends: '2026-12-01', replacement: 'b' }],
    more: 0,
  });
  expect(found({ retiring: [1, 2, 3, 4, 5, 6].map(channelOf) })).toEqual(
    [1, 2, 3, 4, 5].map((id) => ['retiring', `c${id}`]),
  );
});

test('a price book is named that waits, that is newer than the approved one, or that unpriced models need', () => {
  const edition = { id: 1, name: '2026-11', source: 'shipped', created_at: 0, by: '' };
  const waiting = { ...edition, name: 'from-a-file' };
  const shipped = { name: '2026-12', is_new: true };
  const unpriced = { rule: 'free', models: ['model'] } as const;
  expect(found({ book: { current: edition, shipped, proposal: waiting } })).toEqual([
    ['price-book', 'waiting', 'from-a-file'],
  ]);
  expect(found({ book: { current: edition, shipped, proposal: null } })).toEqual([['price-book', 'newer', '2026-12']]);
  expect(found({ book: { current: null, shipped, proposal: null } })).toEqual([]);
  expect(found({ book: { current: null, shipped, proposal: null }, unpriced })).toEqual([
    ['price-book', 'none', '2026-12'],
  ]);
  const decided = { name: '2026-12', is_new: false };
  expect(found({ book: { current: edition, shipped: decided, proposal: null }, unpriced })).toEqual([]);
});
