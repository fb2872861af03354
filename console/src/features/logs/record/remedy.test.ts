import { type Refusal, refusalRules } from '@weir/contract/logs';
import { expect, test } from 'vitest';
import { remedyOf } from './remedy.ts';

const refusal = (rule: string): Refusal => ({
  log_id: 1,
  request_id: '',
  created_at: 0,
  rule,
  status: 403,
  message: '',
  path: '',
  user_id: 7,
  token_id: 3,
  model_name: 'gpt-4o',
  group: 'default',
  key_tail: '',
  address: '',
  retry_after: '',
  similar: 1,
  route: null,
  attempts: [],
});

test('C10 each refused call leads to the page where its cause can be changed, for its user and for an administrator', () => {
  const pathOf = (rule: string, admin: boolean) => remedyOf(refusal(rule), { admin, userId: admin ? 1 : 7 })?.path;
  const paths = ['token_expired', 'insufficient_user_quota', 'no_channel', 'upstream_timeout', 'invalid_json'].map(
    (rule) => [pathOf(rule, false), pathOf(rule, true)],
  );
  expect(paths).toEqual([
    ['/token/edit/3', '/user/edit/7'],
    ['/topup', '/user/edit/7'],
    ['/pricing', '/channel'],
    ['/pricing', '/channel'],
    [undefined, undefined],
  ]);
  // The editor of the model's price is one click away.
  expect(remedyOf(refusal('model_unpriced'), { admin: true, userId: 1 })).toMatchObject({
    path: '/pricing',
    search: { price: 'gpt-4o' },
  });
  expect(pathOf('model_unpriced', false)).toBeUndefined();
  const unknown = { ...refusal('token_invalid'), user_id: 0, token_id: 0 };
  expect(remedyOf(unknown, { admin: true, userId: 1 })).toBeUndefined();
  // Users are not sent to pages of administrators.
  for (const rule of refusalRules) expect(pathOf(rule, false) ?? '').not.toMatch(/^\/(?:channel|user)/);
});
