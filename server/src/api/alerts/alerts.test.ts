import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AlertDestination, DestinationKind } from '@weir/contract/alerts/alerts';
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app/app.ts';
import {
  type AlertReceivers,
  dingtalkSecret,
  feishuSecret,
  startAlertReceivers,
  telegramToken,
  webhookSecret,
} from '../../../test/fakes/services/alert-receivers.ts';
import { startMailServer } from '../../../test/fakes/services/mail-server.ts';
import { startPusherServer } from '../../../test/fakes/services/pusher-server.ts';
import { isJson } from '../../../test/parsing/json.ts';

let app: TestApp;
let root: TestUser;
let receivers: AlertReceivers;
beforeEach(async () => {
  app = await buildTestApp();
  root = await app.root();
  receivers = await startAlertReceivers(app.clock.now);
});
afterEach(async () => {
  const faults = receivers.faults();
  await app.close();
  await receivers.close();
  if (faults.length > 0) throw new Error(faults.join());
});

const addDestination = async (kind: DestinationKind, more: object): Promise<number> => {
  const body = { name: kind, kind, enabled: true, quiet: null, ...more };
  const made = await root.data('POST', '/api/alert/destination/', body);
  return isJson(made) ? Number(made['id']) : 0;
};
const addHook = () => addDestination('webhook', { address: `${receivers.url}/hook`, secret: webhookSecret });

test('the test button sends to every kind of destination in the form that its vendor documents', async () => {
  const mail = await startMailServer();
  const pusher = await startPusherServer();
  await root.data('PUT', '/api/option/', { key: 'SMTPServer', value: '127.0.0.1' });
  await root.data('PUT', '/api/option/', { key: 'SMTPPort', value: String(mail.port) });
  await root.data('PUT', '/api/option/', { key: 'SMTPFrom', value: 'weir@example.com' });
  const { url } = receivers;
  const targets: readonly (readonly [DestinationKind, object])[] = [
    ['mail', { address: 'ada@example.com;bob@example.com' }],
    ['webhook', { address: `${url}/hook`, secret: webhookSecret }],
    ['pusher', { address: pusher.address, secret: pusher.token }],
    ['slack', { address: `${url}/services/T0/B0/slack` }],
    ['feishu', { address: `${url}/open-apis/bot/v2/hook/feishu`, secret: feishuSecret }],
    ['dingtalk', { address: `${url}/robot/send?access_token=dingtalk`, secret: dingtalkSecret }],
    ['wecom', { address: `${url}/cgi-bin/webhook/send?key=wecom` }],
    ['telegram', { address: '-100200', secret: telegramToken, server: url }],
  ];
  for (const [kind, target] of targets) {
    const id = await addDestination(kind, target);
    await root.data('POST', `/api/alert/destination/${id}/test`);
  }
  const received = await mail.next();
  expect(received.to).toEqual(['ada@example.com', 'bob@example.com']);
  expect(received.mail.subject).toContain('Test message');
  expect(pusher.messages).toHaveLength(1);
  expect(pusher.refused).toEqual([]);
  expect(receivers.webhooks).toHaveLength(1);
  expect(receivers.taken.map(({ by }) => by)).toEqual(['slack', 'feishu', 'dingtalk', 'wecom', 'telegram']);
  expect(receivers.taken.every(({ text }) => text.includes('Test message') && text.includes('测试消息'))).toBe(true);
  const wrong = await addDestination('dingtalk', { address: `${url}/robot/send?access_token=dingtalk`, secret: 'no' });
  expect(await root.refused('POST', `/api/alert/destination/${wrong}/test`)).toContain('310000 sign not match');
  const text = JSON.stringify(await root.data('GET', '/api/alert/destination/'));
  for (const secret of [webhookSecret, feishuSecret, dingtalkSecret, telegramToken, pusher.token, 'key=wecom', 'T0/B0'])
    expect(text).not.toContain(secret);
  const stored = JSON.stringify(await app.db.read.selectFrom('alert_destinations').selectAll().execute());
  expect(stored).not.toContain('canary');
  await mail.close();
  await pusher.close();
});

test('a secret does not go along to another URL, and input that cannot work is refused', async () => {
  const id = await addHook();
  const change = { id, name: 'hook', enabled: true, quiet: null };
  await root.data('PUT', '/api/alert/destination/', change);
  expect(
    await root.refused('PUT', '/api/alert/destination/', { ...change, address: 'https://else.example' }),
  ).toContain('Enter the secret again');
  const kept = await root.data('PUT', '/api/alert/destination/', {
    ...change,
    address: 'https://else.example/x',
    secret: 'new',
  });
  const expected: Partial<AlertDestination> = { address: 'else.example', has_secret: true };
  expect(kept).toMatchObject(expected);
  const made = (body: object) =>
    root.refused('POST', '/api/alert/destination/', { name: 'x', enabled: true, quiet: null, ...body });
  expect(await made({ kind: 'slack', address: 'ftp://x' })).toContain('address must be an http or https address');
  expect(await made({ kind: 'webhook', address: 'https://x' })).toContain('secret is missing');
  expect(await made({ kind: 'mail', address: 'nowhere' })).toContain('address is malformed');
  expect(await made({ kind: 'telegram', address: '1', secret: 'a/../b' })).toContain('secret is malformed');
  const zone = { from: '22:00', until: '07:00', zone: 'Europe/Nowhere' };
  expect(await made({ kind: 'slack', address: 'https://x', quiet: zone })).toContain('quiet.zone');
  const rule = { name: 'r', severity: 'warning', enabled: true, repeat_minutes: 0, destinations: [] };
  const refusedRule = (body: object) => root.refused('POST', '/api/alert/rule/', { ...rule, ...body });
  expect(await refusedRule({ kind: 'key_expires', threshold: 0 })).toContain('threshold must be at least 1');
  expect(await refusedRule({ kind: 'channel_disabled', destinations: [999] })).toContain('does not exist');
});
