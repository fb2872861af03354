import { createRateLimit, rateLimitSchema } from '@weir/contract/limits/rate-limits';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp, type TestUser } from '../../test/app/app.ts';
import { addChannel } from '../../test/database/accounts.ts';

let app: TestApp;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  app = await buildTestApp();
  [admin, user] = [await app.addUser('manager', role.admin), await app.addUser('reader')];
});
afterAll(() => app.close());

const path = createRateLimit.path;
const plain = { scope: 'user', metric: 'requests', period: 'minute', amount: 5 } as const;
const ruleIn = (data: unknown) => v.parse(rateLimitSchema, data);

test('administrators create, find, change and delete rules; each change has its entry of the audit log', async () => {
  const made = ruleIn(await admin.data('POST', path, { ...plain, subject: String(user.id) }));
  expect(made).toMatchObject({ ...plain, subject: String(user.id), subject_name: 'reader', model: '' });
  expect(await admin.data('GET', `${path}${made.id}`)).toEqual(made);
  expect(await admin.data('GET', `${path}?keyword=READ`)).toEqual([made]);
  expect(await admin.data('GET', `${path}?keyword=nothing`)).toEqual([]);
  const changed = { ...made, scope: 'user_model', model: 'gpt-4o', amount: 7 };
  expect(await admin.data('PUT', path, changed)).toEqual(changed);
  await admin.data('DELETE', `${path}${made.id}`);
  expect(await admin.data('GET', path)).toEqual([]);
  for (const call of [
    () => admin.refused('GET', `${path}${made.id}`),
    () => admin.refused('PUT', path, changed),
    () => admin.refused('DELETE', `${path}${made.id}`),
  ])
    expect(await call()).toBe('Record not found');
  const noted = await app.db.read
    .selectFrom('audit')
    .select(['actor_id', 'action', 'detail'])
    .where('subject', '=', `rate_limit ${made.id}`)
    .orderBy('id')
    .execute();
  expect(noted).toEqual([
    { actor_id: admin.id, action: 'create_rate_limit', detail: `user ${user.id} 5 requests minute` },
    { actor_id: admin.id, action: 'update_rate_limit', detail: `user_model ${user.id} gpt-4o 7 requests minute` },
    { actor_id: admin.id, action: 'delete_rate_limit', detail: `user_model ${user.id} gpt-4o 7 requests minute` },
  ]);
});

test('users see and change no rules', async () => {
  expect(await user.refused('GET', path)).toMatch(/insufficient permission/);
  expect(await user.refused('POST', path, plain)).toMatch(/insufficient permission/);
  expect(await user.refused('DELETE', `${path}1`)).toMatch(/insufficient permission/);
});

test('a rule whose members do not fit each other is refused with its reason, and changes nothing', async () => {
  const channel = await addChannel(app.db, {});
  const subject = 'The subject does not exist, or does not fit the scope';
  const period = 'Requests and tokens need a period; calls at the same time have none';
  for (const [change, reason] of [
    [{ subject: '999999' }, subject],
    [{ subject: 'reader' }, subject],
    [{ subject: '1/1' }, subject],
    [{ scope: 'token', subject: '0' }, subject],
    [{ scope: 'model', subject: '1' }, subject],
    [{ scope: 'channel_key', subject: `${channel}/0` }, subject],
    [{ scope: 'channel', subject: `${channel}/1` }, subject],
    [{ model: 'gpt-4o' }, 'Only a scope with models takes a model'],
    [{ period: '' }, period],
    [{ metric: 'concurrent' }, period],
    [{ amount: 0 }, /Invalid input.*amount/],
    [{ amount: 1.5 }, /Invalid input.*amount/],
    [{ amount: 1e13 }, /Invalid input.*amount/],
    [{ scope: 'everything' }, /Invalid input.*scope/],
    [{ subject: 'x'.repeat(65) }, /Invalid input.*subject/],
  ] as const)
    expect(await admin.refused('POST', path, { ...plain, ...change }), JSON.stringify(change)).toMatch(reason);
  expect(await admin.data('GET', path)).toEqual([]);

  const first = ruleIn(await admin.data('POST', path, plain));
  const second = ruleIn(await admin.data('POST', path, { ...plain, scope: 'channel_key', subject: `${channel}/1` }));
  const same = 'There is a rule of the same scope, subject, model, metric and period';
  expect(await admin.refused('POST', path, { ...plain, amount: 9 })).toBe(same);
  expect(await admin.refused('PUT', path, { ...second, ...plain, subject: '' })).toBe(same);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      admin.call('POST', path, { body: { ...plain, scope: 'group', subject: 'default' } }),
    ),
  );
  expect(answers.filter(({ json }) => json['success'] === true)).toHaveLength(1);
  expect(await admin.data('GET', `${path}${first.id}`)).toEqual(first);
});
