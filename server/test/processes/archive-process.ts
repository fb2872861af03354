import { archiveMonths } from '../../src/jobs/archive-months.ts';
import { openDatabase } from '../../src/store/open-database.ts';

/** Archives every closed month of a database, and says when it begins. It is killed by its test. */
const [, , dataDir = '', databaseUrl = '', parent = '', now = ''] = process.argv;
const db = await openDatabase({ dataDir, databaseUrl: databaseUrl === '' ? undefined : databaseUrl });
process.stdout.write('begun\n');
const clock = { now: () => Number(now) * 1000 };
const log = { info: () => undefined };
await archiveMonths({ db, parent, keptMonths: 0, clock, log }, new AbortController().signal);
await db.close();
