import { expect, test } from 'vitest';
import { buildTestApp } from '../../../test/app/app.ts';
import { openTestDatabase } from '../../../test/database/database.ts';
import { createReadiness } from './readiness.ts';

const ok = { ok: true, reason: 'ok' };
const allGood = { ready: true, parts: { serving: ok, database: ok, migrations: ok, changes: ok } };

test('N4 the health paths answer programs: alive in plain text, ready as JSON with each part, and never a page', async () => {
  const app = await buildTestApp();
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`${app.url}${path}`, { method, headers: { accept: 'text/html' } });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  for (const path of ['/healthz', '/livez', '/health', '/healthz/'])
    expect(await ask(path)).toEqual({ status: 200, type: 'text/plain', text: 'ok\n' });
  const ready = await ask('/readyz?verbose=1');
  expect(ready).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' });
  expect(JSON.parse(ready.text)).toEqual(allGood);
  expect(await ask('/readyz', 'HEAD')).toMatchObject({ status: 200, text: '' });
  expect((await ask('/readyz', 'POST')).status).toBe(404);
  await app.close();
});

test('N4 many probes ask the database once; silent changes, a stop and a closed database are each a reason', async () => {
  const db = await openTestDatabase();
  let queries = 0;
  const missingMigrations = () => {
    queries += 1;
    return db.missingMigrations();
  };
  const state = { silent: false, draining: false };
  const deps = {
    db: { missingMigrations },
    changes: { isSilent: () => state.silent },
    isDraining: () => state.draining,
  };
  const readiness = createReadiness(deps);
  await readiness();
  expect(await Promise.all(Array.from({ length: 100 }, readiness))).toEqual(Array(100).fill(allGood));
  expect(queries).toBeLessThan(10);
  Object.assign(state, { silent: true, draining: true });
  expect(await readiness()).toMatchObject({
    ready: false,
    parts: { serving: { ok: false, reason: 'stopping' }, database: ok, changes: { ok: false } },
  });
  await db.close();
  const closed = await createReadiness({ ...deps, answerMs: 200 })();
  expect(closed).toMatchObject({ ready: false, parts: { database: { ok: false }, migrations: { ok: false } } });
});
