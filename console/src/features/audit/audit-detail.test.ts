import { expect, test } from 'vitest';
import { translatorIn } from '../../lib/hooks/use-t.ts';
import { actorOf, detailOf, subjectOf } from './audit-detail.ts';

const [en, zh] = [translatorIn('en'), translatorIn('zh')];
const display = { perUnit: 500_000, inCurrency: true };

test('C22 changed fields have the names of the forms, in both languages, also those that earlier releases noted', () => {
  const change = { action: 'update_self', detail: 'username password_hash must_change_password' };
  expect(detailOf(change, en, display)).toBe('Username, Password');
  expect(detailOf(change, zh, display)).toBe('用户名、密码');
  expect(detailOf({ action: 'update_channel', detail: 'base_url priority key' }, en, display)).toBe(
    'Base URL, Priority, Key',
  );
  expect(detailOf({ action: 'update_token', detail: 'new_member' }, en, display)).toBe('new_member');
});

test('C22 amounts are money, counts and times are words', () => {
  const of = (action: string, detail: string) => detailOf({ action, detail }, en, display);
  expect(of('create_redemptions', '20 codes of 5000000')).toBe('20 codes of $10.00');
  expect(of('top_up', '250000')).toBe('$0.50');
  expect(of('delete_channels', '2: 4 7')).toBe('2 channels: 4 7');
  expect(of('clear_logs', 'before 1700000000: 12, the rest follows')).toMatch(/^Before 2023-11-1\d .*: 12 records$/);
  expect(of('proxy_call', 'GET models, token 3')).toBe('GET models, token 3');
  expect(detailOf({ action: 'create_redemptions', detail: '20 codes of 5000000' }, zh, display)).toBe(
    '20 个兑换码，每个 $10.00',
  );
});

test('C19 the owner and the overlap of a managed key are words', () => {
  expect(detailOf({ action: 'roll_token', detail: '86400 s, user 5' }, en, display)).toBe(
    'Overlap: 24 h, Owner: user 5',
  );
  expect(detailOf({ action: 'roll_token', detail: '0 s' }, zh, display)).toBe('重叠期：0 小时');
  expect(detailOf({ action: 'create_token', detail: 'user 5' }, zh, display)).toBe('所有者：用户 5');
});

test('C22 what the gateway does by itself is by the system, a failed sign-in by no user', () => {
  const automatic = { actor_id: 0, actor_name: '', address: '' };
  expect(actorOf(automatic, en)).toBe('System');
  expect(actorOf(automatic, zh)).toBe('系统');
  expect(actorOf({ ...automatic, address: '203.0.113.7' }, en)).toBe('Not signed in');
  expect(actorOf({ ...automatic, actor_id: 3, actor_name: 'alice' }, en)).toBe('alice');
});

test('C22 the changed object is named in words, what was entered stays as it is', () => {
  expect(subjectOf({ action: 'update_channel', subject: 'channel 3' }, zh)).toBe('渠道 3');
  expect(subjectOf({ action: 'test_channels', subject: 'disabled' }, en)).toBe('Disabled channels');
  expect(subjectOf({ action: 'create_redemptions', subject: 'user 3' }, en)).toBe('user 3');
  expect(subjectOf({ action: 'login_failed', subject: 'all' }, en)).toBe('all');
});
