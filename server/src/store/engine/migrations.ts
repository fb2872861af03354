import type { Kysely } from 'kysely';
import { up as up0001 } from '../../../migrations/0001-initial.ts';
import { up as up0002 } from '../../../migrations/0002-search-indexes.ts';
import { up as up0003 } from '../../../migrations/0003-channel-health.ts';
import { up as up0004 } from '../../../migrations/0004-log-days.ts';
import { up as up0005 } from '../../../migrations/0005-log-others.ts';
import { up as up0006 } from '../../../migrations/0006-log-days-of-one.ts';
import { up as up0007 } from '../../../migrations/0007-imported-logins.ts';
import { up as up0008 } from '../../../migrations/0008-log-others-counted.ts';
import { up as up0009 } from '../../../migrations/0009-log-index.ts';
import { up as up0010 } from '../../../migrations/0010-log-days-summed.ts';
import { up as up0011 } from '../../../migrations/0011-change-notices.ts';
import { up as up0012 } from '../../../migrations/0012-user-name-keys.ts';
import { up as up0013 } from '../../../migrations/0013-log-hours-by-token.ts';
import { up as up0014 } from '../../../migrations/0014-upstream-states.ts';
import { up as up0015 } from '../../../migrations/0015-refused-calls.ts';
import { up as up0016 } from '../../../migrations/0016-costs.ts';
import { up as up0017 } from '../../../migrations/0017-vendor-bills.ts';
import { up as up0018 } from '../../../migrations/0018-prices.ts';
import { up as up0019 } from '../../../migrations/0019-test-errors-and-currencies.ts';
import { up as up0020 } from '../../../migrations/0020-book-proposals.ts';
import { up as up0021 } from '../../../migrations/0021-token-rolls.ts';
import { up as up0022 } from '../../../migrations/0022-rate-limits.ts';
import { up as up0024 } from '../../../migrations/0024-alerts.ts';
import { up as up0025 } from '../../../migrations/0025-budgets.ts';
import { up as up0026 } from '../../../migrations/0026-expiry-reminders.ts';
import { up as up0027 } from '../../../migrations/0027-runs.ts';
import { up as up0028 } from '../../../migrations/0028-ledger-months.ts';
import { up as up0029 } from '../../../migrations/0029-teams.ts';
import { up as up0030 } from '../../../migrations/0030-invitations.ts';
import { up as up0031 } from '../../../migrations/0031-archive.ts';
import { up as up0032 } from '../../../migrations/0032-nodes.ts';
import { up as up0033 } from '../../../migrations/0033-log-days-of-charts.ts';
import { up as up0034 } from '../../../migrations/0034-log-days-of-models.ts';
import { up as up0035 } from '../../../migrations/0035-notices-of-columns.ts';
import { up as up0036 } from '../../../migrations/0036-days-of-an-account-in-their-index.ts';
import { up as up0037 } from '../../../migrations/0037-log-hours-by-name.ts';
import { up as up0038 } from '../../../migrations/0038-uses-of-channels-by-node.ts';

type Up = (db: Kysely<unknown>, kind: 'sqlite' | 'postgres') => Promise<void>;

/** In the order in which they run. Forward only, and never edited once released. */
export const migrations: Readonly<Record<string, Up>> = {
  '0001-initial': up0001,
  '0002-search-indexes': up0002,
  '0003-channel-health': up0003,
  '0004-log-days': up0004,
  '0005-log-others': up0005,
  '0006-log-days-of-one': up0006,
  '0007-imported-logins': up0007,
  '0008-log-others-counted': up0008,
  '0009-log-index': up0009,
  '0010-log-days-summed': up0010,
  '0011-change-notices': up0011,
  '0012-user-name-keys': up0012,
  '0013-log-hours-by-token': up0013,
  '0014-upstream-states': up0014,
  '0015-refused-calls': up0015,
  '0016-costs': up0016,
  '0017-vendor-bills': up0017,
  '0018-prices': up0018,
  '0019-test-errors-and-currencies': up0019,
  '0020-book-proposals': up0020,
  '0021-token-rolls': up0021,
  '0022-rate-limits': up0022,
  '0024-alerts': up0024,
  '0025-budgets': up0025,
  '0026-expiry-reminders': up0026,
  '0027-runs': up0027,
  '0028-ledger-months': up0028,
  '0029-teams': up0029,
  '0030-invitations': up0030,
  '0031-archive': up0031,
  '0032-nodes': up0032,
  '0033-log-days-of-charts': up0033,
  '0034-log-days-of-models': up0034,
  '0035-notices-of-columns': up0035,
  '0036-days-of-an-account-in-their-index': up0036,
  '0037-log-hours-by-name': up0037,
  '0038-uses-of-channels-by-node': up0038,
};
