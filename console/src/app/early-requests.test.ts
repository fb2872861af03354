import { listChannels } from '@weir/contract/channels';
import { listLogs, listOwnLogs } from '@weir/contract/logs';
import { listRedemptions } from '@weir/contract/redemptions';
import { getOwnUsage, getUsage } from '@weir/contract/usage';
import { getSelf, listUsers } from '@weir/contract/users';
import { expect, test } from 'vitest';
import { allQuery, ownQuery } from '../features/logs/filters/log-filters.ts';
import { boundsOf } from '../features/logs/filters/log-range.ts';
import { addressOf } from '../lib/api/call.ts';
import { screenAt } from './screen-at.ts';
import { daySeconds, startOf, usualRange } from '../lib/usage-range.ts';

test('LOG-01 the head script requests exactly the addresses that the log requests, for either role', () => {
  const moment = 1_800_000_000;
  const bounds = boundsOf({}, moment);
  const { user: own, admin: whole } = screenAt('/log')?.early ?? {};
  const fill = (request = ''): string => request.replace('{dayAgo}', String(moment - 86_400));
  expect(fill(own)).toBe(addressOf(listOwnLogs, { query: { p: 0, ...ownQuery({}, bounds) } }));
  expect(fill(whole)).toBe(addressOf(listLogs, { query: { p: 0, ...allQuery({}, bounds) } }));
});

test('C11 the head script requests exactly the addresses that the dashboard requests, for either role', () => {
  const { user: own = '', admin: whole = '' } = screenAt('/dashboard')?.early ?? {};
  const moment = 1_800_000_000;
  const query = { start_timestamp: startOf(usualRange, moment), by: 'model' } as const;
  const weekBegin = String((Math.floor(moment / daySeconds) - 6) * daySeconds);
  const asked = (requests: string) => requests.replace('{weekBegin}', weekBegin).split(' +');
  expect(asked(own)).toEqual([addressOf(getSelf, {}), addressOf(getOwnUsage, { query })]);
  expect(asked(whole)).toEqual([addressOf(getSelf, {}), addressOf(getUsage, { query })]);
});

test('SHELL-15 the head script requests administrator lists only for a signed-in administrator', () => {
  const early = ['/channel', '/redemption', '/user'].map((path) => screenAt(path)?.early);
  expect(early.map((requests) => requests?.user)).toEqual(['', '', '']);
  expect(early.map((requests) => requests?.admin?.split('?', 1)[0])).toEqual([
    listChannels.path,
    listRedemptions.path,
    listUsers.path,
  ]);
});
