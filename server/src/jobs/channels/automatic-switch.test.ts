import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../../test/fakes/services/mail-server.ts';
import { type PusherServer, startPusherServer } from '../../../test/fakes/services/pusher-server.ts';
import { buildRelayApp, type RelayApp, testModel, until, untilQuiet } from '../../../test/app/relay-app.ts';
import type { RelayUser } from '../../../test/app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;
let pusher: PusherServer;
beforeEach(async () => {
  relay = await buildRelayApp();
  user = await relay.addUser();
  pusher = await startPusherServer();
});
afterEach(async () => {
  await relay.close();
  await pusher.close();
});

const set = async (values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [key, value] of Object.entries(values)) await relay.setOption(key, value);
};
const usePusher = () => set({ MessagePusherAddress: pusher.address, MessagePusherToken: pusher.token });
const row = (id: number) =>
  relay.app.db.read.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const disabledBySystem = (id: number) => until(async () => (await row(id)).status === 3);
const enabledAbilities = (id: number) =>
  relay.app.db.read
    .selectFrom('abilities')
    .select('model')
    .where('channel_id', '=', id)
    .where('enabled', '=', 1)
    .execute();
const containing = (words: string): unknown => expect.stringContaining(words);
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const ask = () => relay.ask({ key: user.key });
const testAll = async (scope = 'all') => {
  await relay.root.data('GET', `/api/channel/test?scope=${scope}`);
  await until(async () => {
    const reply = await relay.root.call('GET', '/api/channel/test_run');
    return JSON.stringify(reply.json['data']).includes('"running":false');
  });
};
const refuse = (status: number, error: object) =>
  relay.upstream.behave(() => ({ status, body: JSON.stringify({ error: { message: 'no', ...error } }) }));

describe('live traffic', () => {
  test.each([
    [401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }],
    [429, { message: 'You exceeded your current quota', type: 'insufficient_quota' }],
    [403, { message: 'Your access was terminated', type: 'access_terminated' }],
  ])(
    'RELAY-06 C80 OPT-AutomaticDisableChannelEnabled status %i disables the channel, stores why and tells root',
    async (status, error) => {
      await set({ AutomaticDisableChannelEnabled: 'true' });
      await usePusher();
      const id = await relay.addChannel({ name: 'Fast & <good>' });
      refuse(status, error);
      expect((await ask()).status).toBeGreaterThanOrEqual(400);
      await disabledBySystem(id);
      expect(await row(id)).toMatchObject({ status_reason: containing(error.message) });
      expect(await enabledAbilities(id)).toEqual([]);
      expect(await relay.root.data('GET', `/api/channel/${id}`)).toMatchObject({
        status: 3,
        status_reason: containing(`http status code: ${status}`),
      });
      expect((await ask()).status).toBe(503);
      await until(() => pusher.messages.length > 0);
      const { title, content, description } = pusher.messages[0] ?? {};
      expect(title).toContain(`#${id}`);
      expect(content).toBe(description);
      expect(content).toContain('Fast &amp; &lt;good&gt;');
      expect(content).toContain(`error message: ${error.message}`);
      expect(content).toContain(`错误信息：${error.message}`);
      expect(pusher.refused).toEqual([]);
    },
  );

  test('RELAY-06 several calls that meet the refusal at once disable the channel and notify root once', async () => {
    await set({ AutomaticDisableChannelEnabled: 'true' });
    await usePusher();
    const id = await relay.addChannel();
    refuse(401, {});
    await Promise.all(Array.from({ length: 20 }, ask));
    await disabledBySystem(id);
    await until(() => pusher.messages.length > 0);
    await untilQuiet(() => pusher.messages.length === 1);
    const audited = await relay.app.db.read
      .selectFrom('audit')
      .select(['actor_id', 'action'])
      .where('subject', '=', `channel ${id}`)
      .where('action', '<>', 'create_channel')
      .execute();
    expect(audited).toEqual([{ actor_id: 0, action: 'auto_disable_channel' }]);
  });

  test('RELAY-06 OPT-AutomaticDisableChannelEnabled without the option nothing is disabled', async () => {
    const id = await relay.addChannel();
    refuse(401, {});
    await ask();
    await relay.root.data('GET', `/api/channel/${id}/health`);
    expect(await row(id)).toMatchObject({ status: 1, status_reason: '' });
  });

  test('RELAY-06 a caller’s own mistakes and an upstream in trouble disable nothing', async () => {
    await set({ AutomaticDisableChannelEnabled: 'true' });
    const id = await relay.addChannel();
    for (const [status, error] of [
      [400, { message: "Invalid value: 'your access was terminated'" }],
      [429, { message: 'slow down', type: 'requests' }],
      [500, {}],
      [404, { message: 'permission denied: no such model' }],
    ] as const) {
      refuse(status, error);
      await ask();
    }
    await relay.settled();
    expect(await row(id)).toMatchObject({ status: 1 });
  });

  test.each([
    [403, 'Your prompt "api key not valid" was flagged'],
    [403, 'Your prompt "API key, not\\nvalid" was flagged: api key not valid'],
    [429, 'Too many requests with: your access was terminated'],
    [400, 'Your credit balance is too low is no valid role'],
    [400, 'permission denied'],
  ])('S11 status %i with a message that quotes the caller disables nothing: %s', async (status, message) => {
    await set({ AutomaticDisableChannelEnabled: 'true' });
    const id = await relay.addChannel();
    refuse(status, { message });
    const quoting = [
      JSON.stringify({ messages: [{ role: 'user', content: message.toUpperCase() }] }),
      JSON.stringify({ messages: [{ role: 'user', content: message }] }).replaceAll('a', '\\u0061'),
      JSON.stringify({ messages: [{ role: 'user', content: message.split(' ').slice(0, -1).join('\n') }] }),
    ];
    for (const body of quoting) {
      await relay.ask({ key: user.key, body: body.replace('{', `{"model":"${testModel}",`) });
      await relay.settled();
      expect(await row(id)).toMatchObject({ status: 1 });
    }
    // Without the words in the request, they are the upstream's own.
    await ask();
    await disabledBySystem(id);
  });

  test('RELAY-06 the next channel serves the call whose first channel is disabled by it', async () => {
    await set({ AutomaticDisableChannelEnabled: 'true', RetryTimes: '1' });
    const other = await relay.addUpstream();
    const bad = await relay.addChannel({ priority: 9, key: 'wrong' });
    await relay.addChannel({ base_url: other.url, key: other.key });
    expect((await ask()).status).toBe(200);
    await disabledBySystem(bad);
    expect((await ask()).status).toBe(200);
    expect(relay.upstream.journal()).toHaveLength(1);
  });

  test('RELAY-06 a key that was replaced while the old one was refused is not disabled', async () => {
    await set({ AutomaticDisableChannelEnabled: 'true' });
    const id = await relay.addChannel();
    const { promise, resolve } = Promise.withResolvers<void>();
    relay.upstream.behave(() => ({ status: 401, body: '{}', until: promise }));
    const call = relay.start({ key: user.key });
    await until(() => relay.upstream.running() === 1);
    await relay.changeChannel(id, { key: 'sk-another' });
    resolve();
    await call.answer;
    await relay.settled();
    expect(await row(id)).toMatchObject({ status: 1, status_reason: '' });
  });
});

describe('a run of tests', () => {
  test('RELAY-06 OPT-ChannelDisableThreshold disables what is slower, and 0 means no limit', async () => {
    await set({ AutomaticDisableChannelEnabled: 'true', ChannelDisableThreshold: '0' });
    const id = await relay.addChannel();
    relay.upstream.behave(() => ({ delayMs: 60 }));
    await testAll();
    expect(await row(id)).toMatchObject({ status: 1 });
    await set({ ChannelDisableThreshold: '0.05' });
    await testAll();
    expect(await row(id)).toMatchObject({
      status: 3,
      status_reason: matching(/^response time of \d+\.\d\d s exceeds the limit of 0\.05 s$/),
    });
  });

  test('RELAY-06 without automatic disabling, root is notified once of a slow channel', async () => {
    await set({ ChannelDisableThreshold: '0.05' });
    await usePusher();
    const id = await relay.addChannel();
    relay.upstream.behave(() => ({ delayMs: 60 }));
    await testAll();
    await testAll();
    expect(await row(id)).toMatchObject({ status: 1 });
    await until(() => pusher.messages.length === 3);
    const titles = pusher.messages.map(({ title }) => String(title)).toSorted();
    expect(titles.filter((title) => title.includes('is slow'))).toHaveLength(1);
    expect(titles.filter((title) => title === 'Channel test finished')).toHaveLength(2);
  });

  test('RELAY-06 disables what is refused; a failure that may pass disables nothing', async () => {
    await set({ AutomaticDisableChannelEnabled: 'true' });
    const refused = await relay.addChannel({ key: 'wrong' });
    const ill = await relay.addUpstream();
    ill.behave(() => ({ status: 500, body: '{}' }));
    const failing = await relay.addChannel({ base_url: ill.url, key: ill.key });
    await testAll();
    expect([(await row(refused)).status, (await row(failing)).status]).toEqual([3, 1]);
  });

  test('RELAY-06 OPT-AutomaticEnableChannelEnabled enables what passes again, and only with the option', async () => {
    await usePusher();
    const id = await relay.addChannel();
    const failing = await relay.addChannel({ key: 'wrong', priority: -1 });
    await relay.app.db.write.updateTable('channels').set({ status: 3, status_reason: 'was bad' }).execute();
    relay.upstream.behave(() => undefined);
    await testAll('disabled');
    expect(await row(id)).toMatchObject({ status: 3, status_reason: 'was bad' });
    await set({ AutomaticEnableChannelEnabled: 'true' });
    await testAll('disabled');
    expect(await row(id)).toMatchObject({ status: 1, status_reason: '' });
    expect(await row(failing)).toMatchObject({ status: 3 });
    expect((await ask()).status).toBe(200);
    await until(() => pusher.messages.some(({ title }) => String(title).includes('was enabled')));
  });

  test('RELAY-06 a channel that is too slow is not enabled, only to be disabled again', async () => {
    await set({ AutomaticEnableChannelEnabled: 'true', ChannelDisableThreshold: '0.05' });
    const id = await relay.addChannel();
    await relay.changeChannel(id, { status: 2 });
    relay.upstream.behave(() => ({ delayMs: 60 }));
    await testAll();
    expect(await row(id)).toMatchObject({ status: 2 });
  });
});

describe('notices to root', () => {
  let mail: MailServer;
  beforeEach(async () => {
    mail = await startMailServer();
    await set({ SMTPServer: '127.0.0.1', SMTPPort: String(mail.port), SMTPFrom: 'weir@example.com' });
    await set({ AutomaticDisableChannelEnabled: 'true' });
    await relay.app.db.write.updateTable('users').set({ email: 'root@example.com' }).where('id', '=', 1).execute();
  });
  afterEach(() => mail.close());

  test('RELAY-06 OPT-MessagePusherAddress without a pusher root gets a mail', async () => {
    const id = await relay.addChannel();
    refuse(401, { message: 'bad key' });
    await ask();
    const { to, mail: received } = await mail.next();
    expect(to).toEqual(['root@example.com']);
    expect(received.subject).toContain(`#${id}`);
    expect(received.html).toContain('bad key');
    expect(received.html).toContain('sent automatically');
  });

  test('OPT-MessagePusherAddress OPT-MessagePusherToken what the pusher does not take goes by mail', async () => {
    await usePusher();
    await set({ MessagePusherToken: 'another' });
    await relay.addChannel();
    refuse(401, {});
    await ask();
    await mail.next();
    expect(pusher.refused).toEqual(['wrong token']);
    expect(relay.app.logged()).not.toContain('pusher-token-canary');
  });

  test('OPT-MessagePusherAddress if the pusher fails, root is still notified', async () => {
    await usePusher();
    pusher.breakDown();
    await relay.addChannel({ models: testModel });
    refuse(401, {});
    await ask();
    expect((await mail.next()).to).toEqual(['root@example.com']);
  });
});
