import { afterAll, beforeAll, expect, test } from 'vitest';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:net';
import { createServer } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { addChannel, addToken, addUser } from '../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { createReadCertificate } from '../../integrations/certificate.ts';
import { createAddressGuard } from '../../relay/upstream/address-guard.ts';
import { createSecrets } from '../../store/credentials/secrets.ts';
import { openChanges } from '../../store/nodes/changes.ts';
import { loadOptions } from '../../store/options.ts';
import { createCertificates } from './certificates.ts';
import { findSubjects } from './find-subjects.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const now = 1_800_000_000;
const rule = {
  id: 1,
  name: 'spent',
  kind: 'budget',
  severity: 'warning',
  enabled: 1,
  threshold: 80,
  window_minutes: 0,
  least: 0,
  repeat_minutes: 0,
  destinations: '[]',
} as const;

/** A budget of 1,000 whose last period was used up, and of whose present one so much was charged. */
const addBudget = async (of: { scope: 'token' | 'model'; subject_id: number; model: string }, used: number) => {
  const terms = { period: 'month', zone: 'UTC', amount: 1000, rollover: 0, hard: 0, by_admin: 0 } as const;
  const { id } = await db.write
    .insertInto('budgets')
    .values({ ...of, ...terms, created_time: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const period = { budget_id: id, granted: 1000, held: 0 };
  await db.write
    .insertInto('budget_periods')
    .values([
      { ...period, starts_at: now - 100, ends_at: now - 10, used: 1000 },
      { ...period, starts_at: now - 10, ends_at: now + 10, used },
    ])
    .execute();
  return id;
};

test('a rule about budgets finds those of whose present period so many percent were charged', async () => {
  const userId = await addUser(db, { username: 'ada' });
  const tokenOf = async (name: string, deleted = 0) => ({
    scope: 'token' as const,
    subject_id: await addToken(db, userId, { name, deleted_time: deleted }),
    model: '',
  });
  const spent = await addBudget(await tokenOf('agent'), 809);
  await addBudget(await tokenOf('idle'), 799);
  await addBudget(await tokenOf('gone', 5), 1000);
  const ofModel = await addBudget({ scope: 'model', subject_id: 0, model: 'gpt-5' }, 1500);
  const reconciliation = () => {
    throw new Error('budgets need no comparison of the ledger');
  };
  expect(await findSubjects({ db, reconciliation, certificates: async () => [] }, rule, now)).toEqual({
    count: 2,
    subjects: [
      { key: `budget ${spent}`, name: `ada / agent (#${spent})`, value: 80, note: 'month' },
      { key: `budget ${ofModel}`, name: `gpt-5 (#${ofModel})`, value: 150, note: 'month' },
    ],
  });
});

test('a certificate that ends within the days is found, once for each server, whether it is valid here or not', async () => {
  const read = (name: string) =>
    readFileSync(new URL(`../../../test/fakes/tls/localhost-${name}.pem`, import.meta.url));
  const shown = createServer({ key: read('key'), cert: read('cert') });
  let connections = 0;
  shown.on('connection', () => void (connections += 1));
  const silent = createPlainServer();
  const listening = async (server: typeof shown | typeof silent): Promise<number> => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const [port, silentPort] = [await listening(shown), await listening(silent)];
  const urls = [`https://localhost:${port}/v1`, `https://localhost:${port}`, `https://127.0.0.1:${silentPort}`];
  for (const base_url of [...urls, `http://localhost:${port}`]) await addChannel(db, { status: 1, base_url });

  const secrets = createSecrets(Buffer.alloc(32, 9));
  const options = await loadOptions({ db, secrets, changes: await openChanges({}), defaults: {} });
  const certificatesWith = (privateUpstreams: 'allow' | 'deny') =>
    createCertificates({
      db,
      options,
      read: createReadCertificate({ guard: createAddressGuard(privateUpstreams), timeoutMs: 300 }),
    });
  const certificates = certificatesWith('allow');
  const reconciliation = () => {
    throw new Error('certificates need no comparison of the ledger');
  };
  const expires = Date.parse(new X509Certificate(read('cert')).validTo) / 1000;
  const found = (at: number) =>
    findSubjects({ db, reconciliation, certificates }, { ...rule, kind: 'certificate_expires', threshold: 10 }, at);
  const day = 86_400;
  expect(await found(expires - 11 * day)).toEqual({ count: 0, subjects: [] });
  const subject = { key: `certificate localhost:${port}`, name: `localhost:${port}`, value: expires, note: '' };
  expect(await found(expires - 9 * day)).toEqual({ count: 1, subjects: [subject] });
  expect(await found(expires - 9 * day + 60)).toEqual({ count: 1, subjects: [subject] });
  // Each of the two times of reading has one connection, and the minute after none.
  expect(connections).toBe(2);
  expect(await certificatesWith('deny')(expires)).toEqual([]);
  options.close();
  shown.close();
  silent.close();
});
