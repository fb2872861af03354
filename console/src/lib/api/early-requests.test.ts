import { listChannels } from '@weir/contract/channels';
import { listLogs, listOwnLogs } from '@weir/contract/logs';
import { listRedemptions } from '@weir/contract/redemptions';
import { getOwnUsage } from '@weir/contract/usage';
import { getSelf, listUsers } from '@weir/contract/users';
import { expect, test } from 'vitest';
import { headRoutes } from '../../../build/routes.ts';
import { allQuery, ownQuery } from '../../features/logs/filters/log-filters.ts';
import { boundsOf } from '../../features/logs/filters/log-range.ts';
import { addressOf } from './call.ts';
import { daySeconds, startOf, usualRange } from '../usage-range.ts';

test('LOG-01 what the page asks for before its scripts is to the letter what the log asks for, for either role', () => {
  const moment = 1_800_000_000;
  const bounds = boundsOf({}, moment);
  const [, , , own, whole] = headRoutes.find(([prefix]) => prefix === '/log') ?? [];
  const fill = (request = ''): string => request.replace('{dayAgo}', String(moment - 86_400));
  expect(fill(own)).toBe(addressOf(listOwnLogs, { query: { p: 0, ...ownQuery({}, bounds) } }));
  expect(fill(whole)).toBe(addressOf(listLogs, { query: { p: 0, ...allQuery({}, bounds) } }));
});

test('what the page asks for before its scripts is to the letter what the dashboard asks for', () => {
  const [, , , asked = ''] = headRoutes.find(([prefix]) => prefix === '/dashboard') ?? [];
  const moment = 1_800_000_000;
  const query = { start_timestamp: startOf(usualRange, moment), by: 'model' } as const;
  const weekBegin = String((Math.floor(moment / daySeconds) - 6) * daySeconds);
  expect(asked.replace('{weekBegin}', weekBegin).split(' +')).toEqual([
    addressOf(getSelf, {}),
    addressOf(getOwnUsage, { query }),
  ]);
});

test('SHELL-15 the page asks for no list before its scripts that only administrators may see, unless one is signed in', () => {
  const asked = headRoutes.filter(([prefix]) => ['/channel', '/redemption', '/user'].includes(prefix));
  expect(asked.map(([, , , request]) => request)).toEqual(['', '', '']);
  expect(asked.map(([, , , , adminRequest]) => adminRequest?.split('?', 1)[0])).toEqual([
    listChannels.path,
    listRedemptions.path,
    listUsers.path,
  ]);
});
