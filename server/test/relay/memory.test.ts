import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createMemoryBudget, type MemoryBudget, type MemoryLimits } from '../../src/relay/memory/memory-budget.ts';
import { startBareRelay, type BareRelay, type BareRelayOptions } from '../app/bare-relay.ts';
import { until } from '../app/relay-app.ts';
import { startRaw } from '../clients/raw-client.ts';
import { openSession } from '../clients/realtime-client.ts';
import { startFakeRealtime } from '../fakes/fake-realtime.ts';
import { parseObject } from '../parsing/json.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

interface Sized {
  readonly relay: BareRelay;
  readonly memory: MemoryBudget;
}

let ending: (() => Promise<void>) | undefined;
afterEach(() => ending?.());

const start = async (sizes: Partial<MemoryLimits>, options: BareRelayOptions = {}): Promise<Sized> => {
  const memory = createMemoryBudget({ callMax: mebibyte, userMax: mebibyte, processMax: mebibyte, ...sizes });
  const relay = await startBareRelay({ ...options, memory });
  ending = relay.close;
  return { relay, memory };
};

const longText = (bytes: number): string => 'river '.repeat(Math.ceil(bytes / 6));
const completion = (content: string): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
  });
const wholeOf = (bytes: number) => ({
  headers: { 'content-type': 'application/json' },
  body: completion(longText(bytes)),
});
const asking = (text: string) => ({ messages: [{ role: 'user', content: text }] });

test('S3 an answer beyond what a call may hold ends the call, costs nothing, and gives its bytes back', async () => {
  const { relay, memory } = await start({ callMax: 300 * kibibyte });
  relay.upstream.behave(() => wholeOf(400 * kibibyte));
  const answer = await relay.start().answer;
  expect([answer.status, answer.error['code']]).toEqual([413, 'memory_call']);
  expect(memory.refused()).toMatchObject({ call: 1 });
  await until(() => memory.held() === 0);
  relay.upstream.behave(() => wholeOf(200 * kibibyte));
  expect((await relay.start().answer).status).toBe(200);
  await until(() => memory.held() === 0);
  const charges = await relay.db.read.selectFrom('ledger').select('amount').where('kind', '=', 'use').execute();
  expect(charges).toEqual([{ amount: 15 }]);
});

test('S3 answers together hold no more than the process may, whatever their number', async () => {
  const { relay, memory } = await start({ callMax: 400 * kibibyte, userMax: 10 * mebibyte, processMax: mebibyte });
  let most = 0;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  relay.upstream.behave(() => ({ ...wholeOf(350 * kibibyte), until: gate }));
  const answers = Array.from({ length: 30 }, () => relay.start().answer);
  await until(() => relay.upstream.running() === 30);
  const watch = setInterval(() => (most = Math.max(most, memory.held())), 1);
  open();
  const all = await Promise.all(answers);
  clearInterval(watch);
  const statuses = new Set(all.map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 503]));
  for (const { status, error, headers } of all.filter((one) => one.status !== 200))
    expect([status, error['code'], headers['retry-after']]).toEqual([503, 'memory_process', '1']);
  expect(most).toBeLessThanOrEqual(mebibyte);
  await until(() => memory.held() === 0);
});

test('S2 a body is counted as it arrives, inflated or not', async () => {
  const { relay, memory } = await start({ callMax: 100 * kibibyte });
  const plain = await relay.start(asking(longText(120 * kibibyte))).answer;
  expect([plain.status, plain.error['code']]).toEqual([413, 'memory_call']);
  const headers = {
    authorization: `Bearer ${relay.user.key}`,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  };
  const bomb = gzipSync(JSON.stringify({ model: 'weir-test', ...asking(longText(8 * mebibyte)) }));
  expect(bomb.length).toBeLessThan(50 * kibibyte);
  const { url } = relay;
  const inflated = await startRaw({ url, path: '/v1/chat/completions', headers, body: bomb }).answer;
  expect([inflated.status, inflated.error['code']]).toEqual([413, 'memory_call']);
  expect(relay.upstream.journal()).toHaveLength(0);
  await until(() => memory.held() === 0);
});

test('S2 what the calls of one user hold leaves room for those of others', async () => {
  const { relay, memory } = await start({ userMax: 300 * kibibyte });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  relay.upstream.behave(() => ({ until: gate }));
  const held = relay.start(asking(longText(250 * kibibyte))).answer;
  await until(() => relay.upstream.running() === 1);
  const second = await relay.start(asking(longText(100 * kibibyte))).answer;
  expect([second.status, second.error['code'], second.headers['retry-after']]).toEqual([429, 'memory_user', '1']);
  expect(
    memory
      .open(999)
      .part()
      .resize(200 * kibibyte),
  ).toBeNull();
  open();
  expect((await held).status).toBe(200);
});

const objects = (count: number) => Array.from({ length: count }, () => ({}));

test('S2 a body counts with what it becomes once it is parsed, and one of a million objects is refused', async () => {
  const { relay, memory } = await start({ callMax: 4 * mebibyte, userMax: 8 * mebibyte, processMax: 8 * mebibyte });
  const counted = await relay.start({ ...asking('hello'), metadata: objects(100_000) }).answer;
  expect([counted.status, counted.error['code']]).toEqual([413, 'memory_call']);
  const refused = await relay.start({ ...asking('hello'), metadata: objects(1_000_000) }).answer;
  expect([refused.status, refused.error['code']]).toEqual([400, 'invalid_json']);
  expect(relay.upstream.journal()).toHaveLength(0);
  await until(() => memory.held() === 0);
});

test('S3 answers and events of a million objects are not parsed, and cost nothing', async () => {
  const large = 64 * mebibyte;
  const { relay, memory } = await start({ callMax: large, userMax: large, processMax: large });
  const choices = objects(1_000_000);
  relay.upstream.behave(({ stream }) =>
    stream
      ? { events: [`data: ${JSON.stringify({ choices })}\n\n`, 'data: [DONE]\n\n'] }
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ choices }) },
  );
  for (const stream of [false, true]) {
    const answer = await relay.start({ ...asking('hello'), stream }).answer;
    expect([answer.status, answer.error['code']]).toEqual([502, 'bad_response_body']);
  }
  await until(() => memory.held() === 0);
  expect(await relay.db.read.selectFrom('ledger').select('amount').where('kind', '=', 'use').execute()).toEqual([]);
});

test('R8 an event of many megabytes passes, and is charged', async () => {
  const { relay, memory } = await start({
    callMax: 100 * mebibyte,
    userMax: 100 * mebibyte,
    processMax: 100 * mebibyte,
  });
  const picture = 'A'.repeat(20 * mebibyte);
  const eventOf = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
  const choice = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const url = `data:image/png;base64,${picture}`;
  relay.upstream.behave(() => ({
    events: [
      eventOf(choice({ role: 'assistant', images: [{ type: 'image_url', image_url: { url } }] })),
      eventOf(choice({}, 'stop')),
      eventOf({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 1290, total_tokens: 1295 } }),
      'data: [DONE]\n\n',
    ],
  }));
  const answer = await relay.start({ stream: true, stream_options: { include_usage: true } }).answer;
  expect([answer.status, answer.complete]).toEqual([200, true]);
  expect(answer.text).toContain(picture);
  await until(() => memory.held() === 0);
  const charge = await relay.db.read.selectFrom('ledger').select('amount').where('kind', '=', 'use').execute();
  expect(charge).toEqual([{ amount: 5 + 2 * 1290 }]);
});

test('R8 an event beyond the memory of its call ends the stream, and what came before is charged', async () => {
  const { relay, memory } = await start({ callMax: 200 * kibibyte });
  const eventOf = (content: string): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
  relay.upstream.behave(() => ({ events: [eventOf('delivered words'), eventOf(longText(400 * kibibyte))] }));
  const answer = await relay.start({ stream: true }).answer;
  expect([answer.status, answer.complete]).toEqual([200, false]);
  expect(answer.text).toContain('delivered words');
  expect(answer.text).toContain('memory_call');
  await until(() => memory.held() === 0);
  const logs = await relay.db.read.selectFrom('logs').select(['quota', 'detail']).execute();
  expect(logs).toHaveLength(1);
  expect(logs[0]?.quota).toBeGreaterThan(0);
  expect(parseObject(logs[0]?.detail ?? '')).toMatchObject({ cut: 'failed', estimated: true });
});

test('S2 S3 the messages of a session are counted from their first byte until they are sent, and are bounded', async () => {
  const key = 'sk-realtime';
  const realtime = await startFakeRealtime('authorization', key);
  const { promise: gate, resolve: go } = Promise.withResolvers<void>();
  realtime.behave({ until: gate, usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 } });
  const { relay, memory } = await start({ callMax: 600 * kibibyte }, { addresses: [realtime.url], key });
  const open = () => openSession({ url: relay.url, path: '/v1/realtime?model=weir-test', key: relay.user.key });
  const session = await open();
  await until(() => memory.held() === 0);
  // The ninth answer waits for one of the others, and what follows it waits behind it.
  for (let index = 0; index < 9; index += 1) session.send({ type: 'response.create' });
  const audio = 'A'.repeat(100 * kibibyte);
  session.send({ type: 'input_audio_buffer.append', audio });
  await until(() => memory.held() > audio.length);
  session.socket.send(audio, { fin: false });
  await until(() => memory.held() > 2 * audio.length);
  expect(realtime.received().some(({ type }) => type === 'input_audio_buffer.append')).toBe(false);
  go();
  await session.until('response.done', 9);
  await until(() => memory.held() > audio.length && memory.held() < 2 * audio.length);
  session.socket.send(audio.repeat(6), { fin: false });
  expect(await session.ended).toEqual([1013, 'memory']);
  await until(() => memory.held() === 0);
  const charges = await relay.db.read.selectFrom('ledger').select('amount').where('kind', '=', 'use').execute();
  expect(charges).toEqual([{ amount: 9 * 15 }]);
  await realtime.close();
});
