import { expect, test } from 'vitest';
import { openTestDatabase } from '../../test/database/database.ts';
import { countAttempt } from '../store/users/attempts.ts';
import { saveCode } from '../store/users/codes.ts';
import { insertSession } from '../store/users/sessions.ts';
import { cleanUp, startCleanUp } from './clean-up.ts';

test('sessions and codes that ran out and attempts of another day are removed, the others stay', async () => {
  await using stack = new AsyncDisposableStack();
  const db = await openTestDatabase();
  stack.defer(db.close);
  const day = 86_400;
  const now = 100 * day;
  const session = { user_id: 1, created_at: 0, seen_at: 0, data: '' };
  await insertSession(db, { ...session, digest: 'over', expires_at: now });
  await insertSession(db, { ...session, digest: 'open', expires_at: now + 1 });
  const code = { purpose: 'email', digest: 'digest', now: now - 600 } as const;
  await saveCode(db.write, { ...code, subject: 'over', lifetime: 600 });
  await saveCode(db.write, { ...code, subject: 'open', lifetime: 601 });
  const rule = { free: 1, delays: [2] };
  await countAttempt(db, { subject: 'old', rule, now: now - day - 1 });
  await countAttempt(db, { subject: 'new', rule, now: now - day });
  await cleanUp({ db, clock: { now: () => now * 1000 } });
  expect(await db.read.selectFrom('sessions').select('digest').execute()).toEqual([{ digest: 'open' }]);
  expect(await db.read.selectFrom('codes').select('subject').execute()).toEqual([{ subject: 'open' }]);
  expect(await db.read.selectFrom('attempts').select('subject').execute()).toEqual([{ subject: 'new' }]);
});

test('what ends the clean-up waits for it: the database may be closed then', async () => {
  const db = await openTestDatabase();
  const errors: unknown[] = [];
  const end = startCleanUp({ db, clock: { now: () => 0 }, onError: (error) => void errors.push(error) });
  await end();
  await db.close();
  expect(errors).toEqual([]);
});
