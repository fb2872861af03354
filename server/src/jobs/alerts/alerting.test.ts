import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AlertRule, DestinationKind } from '@weir/contract/alerts/alerts';
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { addChannel, addToken, addUser } from '../../../test/database/accounts.ts';
import {
  type AlertReceivers,
  startAlertReceivers,
  verifyWebhook,
  webhookSecret,
} from '../../../test/fakes/services/alert-receivers.ts';
import { isJson, parseObject, type Json } from '../../../test/parsing/json.ts';
import type { Reconciliation } from '@weir/contract/ledger';
import { createOutbound } from '../../integrations/outbound.ts';
import { createAddressGuard } from '../../relay/upstream/address-guard.ts';
import { addRefusals } from '../../store/refusals/refusals.ts';
import { cleanUp } from '../clean-up.ts';
import { evaluateRules } from './alerting.ts';
import { createDeliverAlerts, pauseAfter, triesMax } from './deliver-alerts.ts';
import type { AlertDelivery } from './send-alert.ts';
import { webhookHeaders } from '../../integrations/alerts/webhook-signature.ts';

let app: TestApp;
let root: TestUser;
let receivers: AlertReceivers;
beforeEach(async () => {
  app = await buildTestApp({ frozen: true });
  root = await app.root();
  receivers = await startAlertReceivers(app.clock.now);
});
afterEach(async () => {
  const faults = receivers.faults();
  await app.close();
  await receivers.close();
  if (faults.length > 0) throw new Error(faults.join());
});

const objectOf = (value: unknown): Json => {
  if (!isJson(value)) throw new Error('no object');
  return value;
};
const listOf = (value: unknown): Json[] => {
  if (!Array.isArray(value)) throw new Error('no list');
  return value.map(objectOf);
};

const addDestination = async (kind: DestinationKind, more: object): Promise<number> => {
  const body = { name: kind, kind, enabled: true, quiet: null, ...more };
  return Number(objectOf(await root.data('POST', '/api/alert/destination/', body))['id']);
};
const addHook = (more: object = {}) =>
  addDestination('webhook', { address: `${receivers.url}/hook`, secret: webhookSecret, ...more });
const addRule = async (rule: Partial<AlertRule>): Promise<number> => {
  const initial = { name: 'Rule', kind: 'channel_disabled', severity: 'warning', enabled: true, repeat_minutes: 0 };
  return Number(objectOf(await root.data('POST', '/api/alert/rule/', { ...initial, destinations: [], ...rule }))['id']);
};

const seconds = () => Math.floor(app.clock.now() / 1000);
const ledger: { findings: Reconciliation['findings'] } = { findings: [] };
const latest = () => ({
  checked_at: seconds(),
  took_ms: 1,
  entries: 0,
  open_holds: 0,
  ended_holds: 0,
  unrecovered: 0,
  findings: ledger.findings,
});
const failed: unknown[] = [];
const certificates = async () => [];
const evaluate = async (): Promise<void> => {
  await evaluateRules({
    db: app.db,
    clock: app.clock,
    reconciler: { latest },
    certificates,
    flushAttempts: async () => {},
    onError: (error) => void failed.push(error),
  });
  expect(failed.splice(0)).toEqual([]);
};

/** A worker as on each node, which sends webhooks. */
const worker = (sent?: AlertDelivery[]) => {
  const outbound = createOutbound({ guard: createAddressGuard('allow') });
  return createDeliverAlerts({
    db: app.db,
    secrets: app.secrets,
    clock: app.clock,
    send: async (delivery) => {
      sent?.push(delivery);
      const body = JSON.stringify(delivery.message);
      const headers = webhookHeaders(delivery.config.secret, { id: delivery.id, timestamp: seconds(), body });
      const { status } = await outbound({ method: 'POST', url: delivery.config.address, jsonText: body, headers });
      if (status !== 204) throw new Error(`status ${status}`);
    },
  });
};
/** The loop of the gateway delivers too, so that either may have sent it: until nothing is due. */
const delivered = async (): Promise<void> => {
  await worker()();
  await expect
    .poll(async () => {
      const rows = await app.db.read.selectFrom('alert_messages').selectAll().where('state', '=', 'waiting').execute();
      return rows.filter((row) => row.next_at <= seconds()).length;
    })
    .toBe(0);
};
const history = async (): Promise<Json[]> => listOf(await root.data('GET', '/api/alert/'));
const events = () => receivers.webhooks.map(({ body }) => String(parseObject(body)['type']));
const subjectsAt = (index: number): unknown[] => {
  const data = objectOf(parseObject(receivers.webhooks[index]?.body ?? '')['data']);
  return listOf(data['subjects']).map(({ name }) => name);
};

test('an alert is sent when it opens, for further subjects together, and when it is resolved', async () => {
  const hook = await addHook();
  const rule = await addRule({ destinations: [hook], name: 'Off' });
  const one = await addChannel(app.db, { name: 'one', status: 3, status_reason: 'no balance' });
  await evaluate();
  await delivered();
  expect(events()).toEqual(['alert.opened']);
  expect(subjectsAt(0)).toEqual([`one (#${one})`]);
  expect(await history()).toMatchObject([
    { rule_id: rule, rule_name: 'Off', state: 'open', subject_count: 1, sent: 1, waiting: 0, dead: 0 },
  ]);
  const two = await addChannel(app.db, { name: 'two', status: 3 });
  const three = await addChannel(app.db, { name: 'three', status: 3 });
  app.clock.advance(60_000);
  await evaluate();
  await delivered();
  expect(events()).toHaveLength(1);
  app.clock.advance(240_000);
  await evaluate();
  await evaluate();
  await delivered();
  expect(events()).toEqual(['alert.opened', 'alert.changed']);
  expect(subjectsAt(1)).toEqual([`one (#${one})`, `two (#${two})`, `three (#${three})`]);
  await app.db.write.updateTable('channels').set({ status: 1 }).execute();
  await evaluate();
  await evaluate();
  await delivered();
  expect(events()).toEqual(['alert.opened', 'alert.changed', 'alert.resolved']);
  expect(await history()).toMatchObject([{ state: 'resolved', sent: 3, resolved_at: seconds() }]);
});

test('an open alert is repeated until it is acknowledged', async () => {
  const hook = await addHook();
  await addRule({ destinations: [hook], repeat_minutes: 30 });
  await addChannel(app.db, { status: 3 });
  await evaluate();
  await delivered();
  app.clock.advance(29 * 60_000);
  await evaluate();
  app.clock.advance(60_000);
  await evaluate();
  await delivered();
  expect(events()).toEqual(['alert.opened', 'alert.repeated']);
  const [{ id } = {}] = await history();
  await root.data('POST', `/api/alert/${String(id)}/acknowledge`);
  expect(await root.refused('POST', `/api/alert/${String(id)}/acknowledge`)).toBe(
    'The alert is resolved or already acknowledged',
  );
  app.clock.advance(60 * 60_000);
  await evaluate();
  await delivered();
  expect(events()).toHaveLength(2);
  expect(await history()).toMatchObject([{ state: 'open', acknowledged_by: 'root' }]);
});

test('every kind of rule finds its subjects and nothing else', async () => {
  const now = seconds();
  const [slot, hour] = [Math.floor(now / 900), Math.floor(now / 3600)];
  const poor = await addUser(app.db, { username: 'poor', available: 90, held: 9, used: 1 });
  await addUser(app.db, { username: 'fresh', available: 0, used: 0 });
  await addUser(app.db, { username: 'rich', available: 100, used: 1 });
  const soon = await addToken(app.db, poor, { name: 'soon', expired_time: now + 86_399 });
  await addToken(app.db, poor, { name: 'late', expired_time: now + 86_400 });
  await addToken(app.db, poor, { name: 'never', expired_time: -1 });
  const bad = await addChannel(app.db, { name: 'bad' });
  const good = await addChannel(app.db, { name: 'good' });
  const attempts = (channel_id: number, outcome: string, band: number, count: number, at = slot) =>
    app.db.write.insertInto('channel_attempts').values({ channel_id, slot: at, outcome, band, count }).execute();
  await attempts(bad, 'server', 0, 5);
  await attempts(bad, 'ok', 40, 5);
  await attempts(bad, 'request', 0, 50);
  await attempts(good, 'ok', 1, 9);
  await attempts(good, 'server', 1, 9, slot - 8);
  await attempts(good, 'timeout', 1, 1);
  const refusal = {
    created_at: now - 60,
    user_id: poor,
    username: 'poor',
    token_id: soon,
    token_name: 'soon',
    group: 'default',
    path: '/v1/chat/completions',
    status: 400,
    message: '',
    retry_after: '',
    request_id: '1',
    elapsed_time: 1,
    is_stream: 0,
    key_tail: '',
    address: '',
    network: '',
    detail: '{}',
  };
  await addRefusals(app.db, [
    { ...refusal, model_name: 'unknown-1', rule: 'model_unpriced' },
    { ...refusal, model_name: 'unknown-1', rule: 'model_unpriced' },
    { ...refusal, model_name: 'unknown-2', rule: 'model_unpriced', created_at: now - 7200 },
    { ...refusal, model_name: 'known', rule: 'quota' },
  ]);
  ledger.findings = [{ rule: 'L1', subject: 'user 7', expected: 5, found: 3 }];
  const spend = { user_id: poor, token_id: soon, channel_id: good };
  const spent = (at: number, quota: number) =>
    app.db.write
      .insertInto('log_hours')
      .values({
        ...spend,
        hour: at,
        token_name: 'soon',
        model_name: 'm',
        requests: 1,
        quota,
        prompt_tokens: 1,
        completion_tokens: 1,
        cost: 0,
        costed: 0,
      })
      .execute();
  await spent(hour, 301);
  await spent(hour - 168, 100);
  await spent(hour - 336, 100);
  const window = { window_minutes: 60, least: 10 };
  await addRule({ kind: 'user_balance', threshold: 100 });
  await addRule({ kind: 'channel_disabled' });
  await addRule({ kind: 'channel_errors', threshold: 50, ...window });
  await addRule({ kind: 'channel_latency', threshold: 1000, ...window, least: 5 });
  await addRule({ kind: 'unpriced_model', threshold: 2, ...window });
  await addRule({ kind: 'ledger_mismatch', severity: 'critical' });
  await addRule({ kind: 'key_expires', threshold: 1 });
  await addRule({ kind: 'spend_anomaly', threshold: 300, least: 100 });
  await evaluate();
  const found = new Map((await history()).map(({ kind, subjects }) => [kind, listOf(subjects)]));
  ledger.findings = [];
  expect(Object.fromEntries(found)).toMatchObject({
    user_balance: [{ key: `user ${poor}`, value: 99 }],
    channel_errors: [{ key: `channel ${bad}`, value: 50, note: '5/10' }],
    channel_latency: [{ key: `channel ${bad}`, note: 'p95' }],
    unpriced_model: [{ key: 'model unknown-1', value: 2 }],
    ledger_mismatch: [{ key: 'L1 user 7', value: -2 }],
    key_expires: [{ key: `token ${soon}`, value: now + 86_399 }],
    spend_anomaly: [{ key: 'spend', value: 301, note: '×3.0' }],
  });
  expect([...found.values()].every((subjects) => subjects.length === 1)).toBe(true);
});

test('a webhook that fails is tried again later and later with the same id and a new signature, and is dead in the end', async () => {
  const mend = receivers.refuseWebhooks();
  await addRule({ destinations: [await addHook()] });
  await addChannel(app.db, { status: 3 });
  await evaluate();
  for (let tries = 1; tries < triesMax; tries += 1) {
    await delivered();
    expect(receivers.webhooks).toHaveLength(tries);
    app.clock.advance(pauseAfter(tries) * 1000 - 1000);
    await delivered();
    expect(receivers.webhooks).toHaveLength(tries);
    app.clock.advance(1000);
  }
  await delivered();
  // The session is over by now.
  root = await app.root();
  expect(await history()).toMatchObject([{ waiting: 0, dead: 1, last_error: 'status 500' }]);
  mend();
  app.clock.advance(86_400_000);
  await delivered();
  expect(receivers.webhooks).toHaveLength(triesMax);
  const headers = receivers.webhooks.map((request) => request.headers);
  expect(new Set(headers.map((each) => each['webhook-id'])).size).toBe(1);
  expect(new Set(headers.map((each) => each['webhook-signature'])).size).toBe(triesMax);
});

test('a verifier of its own accepts the signature, and neither another body, another secret nor an old timestamp', async () => {
  await addRule({ destinations: [await addHook()] });
  await addChannel(app.db, { status: 3 });
  await evaluate();
  await delivered();
  const [request] = receivers.webhooks;
  if (request === undefined) throw new Error('no webhook');
  const other = `whsec_${Buffer.from('another secret').toString('base64')}`;
  expect(verifyWebhook(request, webhookSecret, seconds())).toBe('ok');
  expect(verifyWebhook({ ...request, body: `${request.body} ` }, webhookSecret, seconds())).toBe('signature');
  expect(verifyWebhook(request, other, seconds())).toBe('signature');
  expect(verifyWebhook(request, webhookSecret, seconds() + 301)).toBe('timestamp');
});

test('workers of several nodes deliver each message once, and a message whose worker is gone again', async () => {
  const hook = await addHook();
  for (let count = 0; count < 20; count += 1) await addRule({ destinations: [hook], name: `Rule ${count}` });
  await addChannel(app.db, { status: 3 });
  await evaluate();
  const sent: AlertDelivery[] = [];
  const workers = Array.from({ length: 4 }, () => worker(sent));
  await Promise.all(workers.map(async (work) => (await work()) + (await work()) + (await work())));
  await delivered();
  expect(receivers.webhooks).toHaveLength(20);
  expect(new Set(receivers.webhooks.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
  await app.db.write
    .updateTable('alert_messages')
    .set({ state: 'waiting', claimed_until: seconds() + 180, claimed_by: 'gone' })
    .where('id', '=', 1)
    .execute();
  await worker()();
  expect(receivers.webhooks).toHaveLength(20);
  app.clock.advance(600_000);
  await delivered();
  expect(receivers.webhooks).toHaveLength(21);
});

test('in quiet hours warnings wait for their end and critical messages do not', async () => {
  const end = new Date(app.clock.now() + 3_600_000).toISOString().slice(11, 16);
  const quiet = { from: new Date(app.clock.now()).toISOString().slice(11, 16), until: end, zone: 'UTC' };
  const hook = await addHook({ quiet });
  await addRule({ destinations: [hook], name: 'Warning' });
  await addRule({ destinations: [hook], name: 'Critical', severity: 'critical' });
  await addChannel(app.db, { status: 3 });
  await evaluate();
  await delivered();
  expect(receivers.webhooks.map(({ body }) => objectOf(parseObject(body)['data'])['rule'])).toEqual(['Critical']);
  app.clock.advance(3_600_000);
  await delivered();
  expect(receivers.webhooks.map(({ body }) => objectOf(parseObject(body)['data'])['rule'])).toEqual([
    'Critical',
    'Warning',
  ]);
});

test('the message is stored with the change of the alert or not at all', async () => {
  const rule = await addRule({ destinations: [await addHook()] });
  await addChannel(app.db, { status: 3 });
  await app.db.write.updateTable('alert_rules').set({ destinations: 'not JSON' }).where('id', '=', rule).execute();
  await evaluateRules({
    db: app.db,
    clock: app.clock,
    certificates,
    reconciler: { latest },
    flushAttempts: async () => {},
    onError: (error) => void failed.push(error),
  });
  expect(failed.splice(0)).toHaveLength(1);
  expect(await app.db.read.selectFrom('alerts').selectAll().execute()).toEqual([]);
});

test('deleting a destination ends its messages, deleting a rule its alert, and old alerts go', async () => {
  const hook = await addHook();
  const rule = await addRule({ destinations: [hook] });
  await addChannel(app.db, { status: 3 });
  const quiet = { from: '00:00', until: '23:59', zone: 'UTC' };
  await root.data('PUT', '/api/alert/destination/', { id: hook, name: 'h', enabled: true, quiet });
  await evaluate();
  await root.data('DELETE', `/api/alert/destination/${hook}`);
  expect(await root.data('GET', '/api/alert/rule/')).toMatchObject([{ destinations: [] }]);
  await delivered();
  expect(await history()).toMatchObject([{ state: 'open', dead: 1, last_error: 'the destination was deleted' }]);
  await root.data('DELETE', `/api/alert/rule/${rule}`);
  expect(await history()).toMatchObject([{ state: 'resolved' }]);
  await cleanUp({ db: app.db, clock: app.clock });
  expect(await history()).toHaveLength(1);
  app.clock.advance(91 * 86_400_000);
  await cleanUp({ db: app.db, clock: app.clock });
  expect(await app.db.read.selectFrom('alerts').select('id').execute()).toEqual([]);
  expect(await app.db.read.selectFrom('alert_messages').select('id').execute()).toEqual([]);
});
