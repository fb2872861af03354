import { budgetSchema, createBudget } from '@weir/contract/limits/budgets';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app/app.ts';

let app: TestApp;
let admin: TestUser;
let user: TestUser;
let other: TestUser;
let tokenId: number;
beforeAll(async () => {
  app = await buildTestApp();
  admin = await app.addUser('manager', role.admin);
  [user, other] = [await app.addUser('reader'), await app.addUser('stranger')];
  tokenId = await addToken('mine');
});
afterAll(() => app.close());

const path = createBudget.path;
const addToken = async (name: string): Promise<number> => {
  const made = await user.data('POST', '/api/token/', { name, unlimited_quota: true });
  return v.parse(v.object({ id: v.number() }), made).id;
};
const plain = { scope: 'token', period: 'day', zone: 'Asia/Shanghai', amount: 500 } as const;
const budgetIn = (data: unknown) => v.parse(budgetSchema, data);
const budgetsIn = (data: unknown) => v.parse(v.array(budgetSchema), data);
const noSubject = 'There is no such token, user, member or model that you may set a budget for';

test('an owner sets, sees, changes and deletes a budget of a token; each change has its entry of the audit log', async () => {
  const made = budgetIn(await user.data('POST', path, { ...plain, subject_id: tokenId }));
  expect(made).toMatchObject({
    ...plain,
    subject_id: tokenId,
    subject_name: 'mine',
    owner: 'reader',
    hard: true,
    rollover: false,
    by_admin: false,
    granted: 500,
    held: 0,
    used: 0,
  });
  expect(made.period_end - made.period_start).toBe(86_400);
  expect((made.period_start + 8 * 3600) % 86_400).toBe(0);
  expect(await user.data('GET', `${path}${made.id}`)).toEqual(made);
  for (const keyword of ['MIN', 'reader', String(tokenId)])
    expect(await user.data('GET', `${path}?keyword=${keyword}`)).toEqual([made]);
  expect(await user.data('GET', `${path}?keyword=nothing`)).toEqual([]);
  const terms = { amount: 700, hard: false, rollover: true };
  const changed = budgetIn(await user.data('PUT', path, { id: made.id, ...terms }));
  expect(changed).toEqual({ ...made, ...terms, granted: 700 });
  await user.data('DELETE', `${path}${made.id}`);
  expect(await user.refused('GET', `${path}${made.id}`)).toBe('Record not found');
  const noted = await app.db.read
    .selectFrom('audit')
    .select(['actor_id', 'action', 'detail'])
    .where('subject', '=', `budget ${made.id}`)
    .orderBy('id')
    .execute();
  expect(noted).toEqual([
    { actor_id: user.id, action: 'create_budget', detail: `token ${tokenId} 500 day hard` },
    { actor_id: user.id, action: 'update_budget', detail: `token ${tokenId} 700 day soft` },
    { actor_id: user.id, action: 'delete_budget', detail: `token ${tokenId} 700 day soft` },
  ]);
});

test('users set budgets of their own tokens alone, and cannot tell which others exist', async () => {
  const made = budgetIn(await user.data('POST', path, { ...plain, subject_id: tokenId }));
  for (const call of [
    () => other.refused('GET', `${path}${made.id}`),
    () => other.refused('PUT', path, { id: made.id, amount: 1 }),
    () => other.refused('DELETE', `${path}${made.id}`),
  ])
    expect(await call()).toBe('Record not found');
  expect(await other.data('GET', path)).toEqual([]);
  // There is a budget of this token and period already: a stranger is not told so.
  for (const subject of [
    { scope: 'token', subject_id: tokenId },
    { scope: 'token', subject_id: 999_999 },
    { scope: 'user', subject_id: other.id },
    { scope: 'user', subject_id: user.id },
    { scope: 'model', model: 'gpt-5' },
  ])
    expect(await other.refused('POST', path, { ...plain, ...subject }), JSON.stringify(subject)).toBe(noSubject);
  expect(await user.refused('POST', path, { ...plain, subject_id: tokenId, zone: 'UTC' })).toBe(
    'There is a budget of the same subject and period',
  );
  expect(await app.db.read.selectFrom('budgets').select('id').execute()).toEqual([{ id: made.id }]);
  await user.data('DELETE', `${path}${made.id}`);
});

test('what an administrator sets for a user the user sees and cannot change; equal and higher roles are left alone', async () => {
  const ofUser = budgetIn(await admin.data('POST', path, { ...plain, scope: 'user', subject_id: user.id }));
  const ofToken = budgetIn(await admin.data('POST', path, { ...plain, subject_id: tokenId, period: 'week' }));
  const ofModel = budgetIn(await admin.data('POST', path, { ...plain, scope: 'model', model: 'gpt-5' }));
  expect([ofUser.by_admin, ofUser.owner, ofModel.owner]).toEqual([true, 'reader', '']);
  expect(budgetsIn(await user.data('GET', path)).map(({ id }) => id)).toEqual([ofToken.id, ofUser.id]);
  expect(budgetsIn(await admin.data('GET', path)).map(({ id }) => id)).toEqual([ofModel.id, ofToken.id, ofUser.id]);
  const byAdmin = 'The administrator has set this budget; only an administrator can change it';
  for (const { id } of [ofUser, ofToken]) {
    expect(await user.refused('PUT', path, { id, amount: 1e6 })).toBe(byAdmin);
    expect(await user.refused('DELETE', `${path}${id}`)).toBe(byAdmin);
  }
  expect(await user.refused('GET', `${path}${ofModel.id}`)).toBe('Record not found');
  const equal = await app.addUser('colleague', role.admin);
  expect(await admin.refused('POST', path, { ...plain, scope: 'user', subject_id: equal.id })).toBe(noSubject);
  expect(await admin.data('POST', path, { ...plain, scope: 'user', subject_id: admin.id })).toMatchObject({
    owner: 'manager',
  });
  expect(await admin.data('PUT', path, { id: ofToken.id, amount: 9 })).toMatchObject({ amount: 9, granted: 9 });
});

test('a budget whose members do not fit is refused with its reason, and changes nothing', async () => {
  const id = await addToken('checked');
  const before = await app.db.read.selectFrom('budgets').selectAll().execute();
  for (const [change, reason] of [
    [{ amount: 0 }, /Invalid input.*amount/],
    [{ amount: 1.5 }, /Invalid input.*amount/],
    [{ amount: 1e16 }, /Invalid input.*amount/],
    [{ zone: 'Mars/Base' }, /Invalid input.*zone/],
    [{ period: 'year' }, /Invalid input.*period/],
    [{ scope: 'group' }, /Invalid input.*scope/],
    [{ subject_id: 0 }, noSubject],
    [{ subject_id: -1 }, noSubject],
    [{ model: 'gpt-5' }, noSubject],
    [{ scope: 'model', subject_id: 0 }, noSubject],
    [{ scope: 'model', model: 'gpt-5' }, noSubject],
  ] as const)
    expect(await admin.refused('POST', path, { ...plain, subject_id: id, ...change }), JSON.stringify(change)).toMatch(
      reason,
    );
  expect(await app.db.read.selectFrom('budgets').selectAll().execute()).toEqual(before);
});

test('budgets of deleted tokens are not listed', async () => {
  const id = await addToken('short-lived');
  const made = budgetIn(await user.data('POST', path, { ...plain, subject_id: id }));
  await user.data('DELETE', `/api/token/${id}`);
  expect(await user.refused('GET', `${path}${made.id}`)).toBe('Record not found');
  expect(await admin.data('GET', `${path}?keyword=short-lived`)).toEqual([]);
});
