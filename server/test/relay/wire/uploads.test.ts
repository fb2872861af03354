import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFormUpstream, type FormUpstream } from '../../fakes/form-upstream.ts';
import { buildRelayApp, until, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;
let client: OpenAI;
let first: FormUpstream;
let second: FormUpstream;

const ratios = { 'whisper-1': 15, heard: 2, heard2: 3, 'dall-e-2': 10, drawer: 10, spare: 1 };

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.setOption('ModelRatio', JSON.stringify(ratios));
  await relay.setOption('CompletionRatio', JSON.stringify({ 'whisper-1': 0, heard: 4, heard2: 4, spare: 1 }));
  await relay.setOption('RetryTimes', '1');
  first = await startFormUpstream();
  second = await startFormUpstream();
  const to = (upstream: FormUpstream) => ({ base_url: upstream.url, key: upstream.key });
  await relay.addChannel({ ...to(first), models: 'whisper-1,heard,dall-e-2', priority: 2 });
  await relay.addChannel({
    ...to(first),
    models: 'hearing,drawer-2',
    model_mapping: '{"hearing":"heard2","drawer-2":"drawer"}',
  });
  await relay.addChannel({ ...to(first), models: 'spare', priority: 2 });
  await relay.addChannel({ ...to(second), models: 'spare', priority: 1 });
  user = await relay.addUser();
  client = new OpenAI({ apiKey: user.key, baseURL: `${relay.url}/v1`, maxRetries: 0 });
});
beforeEach(() => {
  for (const upstream of [first, second]) {
    upstream.refuse(null);
    upstream.behave(() => ({ body: '{"text":"one two three"}' }));
  }
});
afterAll(async () => {
  await relay.close();
  await first.close();
  await second.close();
});

const idOf = (response: Response): string => response.headers.get('x-oneapi-request-id') ?? '';
const recording = (bytes: number) => toFile(Buffer.alloc(bytes, 7), 'a.mp3', { type: 'audio/mpeg' });
/** As clients of other vendors write forms. */
const send = (path: string, fields: Readonly<Record<string, string | File>>): Promise<Response> => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return fetch(`${relay.url}${path}`, { method: 'POST', headers: { authorization: `Bearer ${user.key}` }, body });
};
const unchanged = async (run: () => Promise<void>) => {
  const before = await relay.userBalance(user.userId);
  await run();
  await relay.settled();
  expect(await relay.userBalance(user.userId)).toEqual(before);
};

const part = (head: string, content = '') => `--B\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}`;
const model = (name: string) => part('name="model"', `${name}\r\n`);
const fileHead = part('name="file"; filename="a.mp3"');
const end = '\r\n--B--\r\n';
const type = { 'content-type': 'multipart/form-data; boundary=B' };

/** A client that sends a form bit by bit. */
const upload = (headers: Readonly<Record<string, string>> = {}) => {
  const call = httpRequest(`${relay.url}/v1/audio/transcriptions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${user.key}`, ...type, ...headers },
  });
  call.on('error', () => undefined);
  const answer = once(call, 'response').then(async ([response]: IncomingMessage[]) => {
    if (response === undefined) throw new Error('no answer');
    const answered = await text(response);
    return { status: response.statusCode ?? 0, text: answered };
  });
  answer.catch(() => undefined);
  return { call, answer };
};

describe('recordings', () => {
  test('S6 a form with a second form in it reaches no upstream', async () => {
    const one = `${model('heard')}${fileHead}x${end}`;
    const two = one.replaceAll('--B', '--C').replace('heard', 'whisper-1');
    const before = first.forms().length;
    await unchanged(async () => {
      for (const [boundaries, body] of [
        ['boundary=B; boundary=C', one + two],
        ['boundary=B; Boundary=C', one + two],
        ["boundary=B; boundary*=utf-8''C", one + two],
        ['boundary=B', one + two],
      ] as const) {
        const { call, answer } = upload({ 'content-type': `multipart/form-data; ${boundaries}` });
        call.end(body);
        expect((await answer).status, boundaries).toBe(400);
      }
    });
    expect(first.forms().slice(before)).toEqual([]);
    const { call, answer } = upload({ 'content-type': 'Multipart/Form-Data; charset=x; boundary="B"' });
    call.end(one);
    expect((await answer).status).toBe(200);
    expect(first.forms().at(-1)?.headers['content-type']).toBe('multipart/form-data; boundary=B');
  });

  test('RELAY-02 RELAY-04 the official client has one written down, and pays for the reported tokens', async () => {
    const usage = {
      type: 'tokens',
      input_tokens: 30,
      output_tokens: 5,
      total_tokens: 35,
      input_token_details: { audio_tokens: 30 },
    };
    first.behave(() => ({ body: JSON.stringify({ text: 'one two', usage }) }));
    const pending = client.audio.transcriptions.create({
      file: await recording(50_000),
      model: 'heard',
      language: 'en',
    });
    const { data, response } = await pending.withResponse();
    expect(data).toEqual({ text: 'one two', usage });
    const form = first.forms().at(-1);
    expect(form).toMatchObject({
      path: '/v1/audio/transcriptions',
      fields: { model: 'heard', language: 'en', file: 'a.mp3 audio/mpeg 50000' },
    });
    expect(await relay.chargeOf(idOf(response))).toEqual({ amount: (30 + 5 * 4) * 2, estimated: 0 });
  });

  const priced = [
    { format: 'json', body: '{"text":"one two three"}', amount: 45, estimated: 1 },
    { format: 'verbose_json', body: '{"text":"one two three","duration":61.3}', amount: 205 * 15, estimated: 0 },
    { format: 'json', body: '{"text":"one","usage":{"type":"duration","seconds":60}}', amount: 200 * 15, estimated: 0 },
    { format: 'json', body: '{"text":"one","usage":{"type":"duration","seconds":-1}}', amount: 15, estimated: 1 },
    { format: 'text', body: 'one two three', amount: 45, estimated: 1 },
    { format: 'srt', body: '1\n00:00:00,000 --> 00:00:02,000\none two three\n\n', amount: 45, estimated: 1 },
    { format: 'vtt', body: 'WEBVTT\n\n00:00.000 --> 00:02.000\none two three\n', amount: 45, estimated: 1 },
  ] as const;
  for (const { format, body, amount, estimated } of priced) {
    test(`RELAY-02 RELAY-07 whisper’s ${JSON.stringify(body)} passes as it is for ${amount}`, async () => {
      const kind = format.endsWith('json') ? 'application/json' : 'text/plain; charset=utf-8';
      first.behave(() => ({ body, type: kind }));
      const running = client.audio.transcriptions.create({
        file: await recording(9),
        model: 'whisper-1',
        response_format: format,
      });
      const response = await running.asResponse();
      expect(response.headers.get('content-type')).toBe(kind);
      expect(await response.text()).toBe(body);
      expect(await relay.chargeOf(idOf(response))).toEqual({ amount, estimated });
    });
  }

  test('RELAY-02 one is translated, its model redirected and nothing else changed', async () => {
    const response = await send('/v1/audio/translations', { file: await recording(99), model: 'hearing', prompt: 'p' });
    expect(first.forms().at(-1)).toMatchObject({
      path: '/v1/audio/translations',
      fields: { model: 'heard2', prompt: 'p', file: 'a.mp3 audio/mpeg 99' },
    });
    expect(await relay.chargeOf(idOf(response))).toEqual({ amount: 9, estimated: 1 });
    expect(await relay.logOf(idOf(response))).toMatchObject({ model_name: 'heard2' });
  });

  const done = (usage: object) =>
    `data: ${JSON.stringify({ type: 'transcript.text.done', text: 'one two', usage })}\n\n`;
  const deltas = ['one ', 'two'].map(
    (delta) => `data: ${JSON.stringify({ type: 'transcript.text.delta', delta })}\n\n`,
  );

  test('RELAY-02 RELAY-04 the official client gets one as a stream', async () => {
    const pieces = [...deltas, done({ type: 'tokens', input_tokens: 11, output_tokens: 2, total_tokens: 13 })];
    first.behave(() => ({ type: 'text/event-stream', pieces }));
    const call = client.audio.transcriptions.create({ file: await recording(99), model: 'heard', stream: true });
    const { data, response } = await call.withResponse();
    const types: string[] = [];
    for await (const event of data) types.push(event.type);
    expect(types).toEqual(['transcript.text.delta', 'transcript.text.delta', 'transcript.text.done']);
    await until(async () => (await relay.chargeOf(idOf(response))) !== null);
    expect(await relay.chargeOf(idOf(response))).toEqual({ amount: (11 + 8) * 2, estimated: 0 });
    expect(await relay.logOf(idOf(response))).toMatchObject({ is_stream: 1 });
  });

  test('RELAY-10 S1 a stream that breaks off has no end, and costs what came', async () => {
    first.behave(() => ({ type: 'text/event-stream', pieces: deltas, cut: true }));
    const call = client.audio.transcriptions.create({ file: await recording(99), model: 'heard', stream: true });
    const { data, response } = await call.withResponse();
    const read = async () => {
      for await (const event of data) expect(event.type).toBe('transcript.text.delta');
    };
    await expect(read()).rejects.toThrow(OpenAI.APIError);
    await relay.settled();
    expect(await relay.chargeOf(idOf(response))).toMatchObject({ estimated: 1, amount: 2 * 2 });
  });

  test('RELAY-02 what the vendor answers wrongly is an error that costs nothing', async () => {
    await unchanged(async () => {
      for (const behaviour of [
        { body: '' },
        { body: '{}' },
        { body: '{"error":{"message":"no"}}' },
        { body: 'x', cut: true as const },
        { status: 500 },
      ]) {
        first.behave(() => behaviour);
        const answer = client.audio.transcriptions.create({ file: await recording(9), model: 'heard' });
        await expect(answer).rejects.toThrow(OpenAI.InternalServerError);
      }
    });
  });
});

describe('forms on their way', () => {
  test('RELAY-02 a recording behind its model reaches the vendor while it is still coming, with a declared length or in chunks', async () => {
    const body = `${model('heard')}${fileHead}${'x'.repeat(200_000)}${end}`;
    for (const headers of [{ 'content-length': String(body.length) }, { 'transfer-encoding': 'chunked' }]) {
      const before = first.received();
      const { call, answer } = upload(headers);
      call.write(body.slice(0, 100_000));
      await until(() => first.received() - before >= 100_000);
      call.end(body.slice(100_000));
      expect(await answer).toEqual({ status: 200, text: '{"text":"one two three"}' });
      expect(first.forms().at(-1)?.body.toString()).toBe(body);
      expect(first.forms().at(-1)?.headers).toMatchObject(headers);
    }
  });

  test('RELAY-02 its model is redirected in what was read, and its length with it', async () => {
    const body = (name: string) => `${model(name)}${fileHead}${'x'.repeat(90_000)}${end}`;
    const { call, answer } = upload({ 'content-length': String(body('hearing').length) });
    call.end(body('hearing'));
    expect((await answer).status).toBe(200);
    expect(first.forms().at(-1)?.body.toString()).toBe(body('heard2'));
  });

  test('RELAY-02 a form that names no model asks for the first one, and says so', async () => {
    const { call, answer } = upload();
    call.end(`${fileHead}x${end}`);
    expect((await answer).status).toBe(200);
    expect(first.forms().at(-1)?.fields['model']).toBe('whisper-1');
  });

  test('RELAY-02 what is wrong in the rest ends the upload, and costs nothing', async () => {
    await unchanged(async () => {
      for (const rest of [`\r\n${model('hearing')}--B--\r\n`, '\r\n--B', '\r\n--Bx']) {
        const { call, answer } = upload();
        const before = first.received();
        call.write(model('heard') + fileHead + 'x'.repeat(50_000));
        await until(() => first.received() > before);
        const whole = first.forms().length;
        call.end(rest);
        const { status, text: words } = await answer;
        expect(status).toBe(400);
        expect(words).toContain('invalid_text_request');
        await until(() => first.running() === 0);
        expect(first.forms()).toHaveLength(whole);
      }
    });
  });

  test('RELAY-10 a client that leaves in the middle ends the upload, and pays nothing', async () => {
    await unchanged(async () => {
      const before = first.received();
      const { call } = upload();
      call.write(model('heard') + fileHead + 'x'.repeat(50_000));
      await until(() => first.received() > before);
      expect(first.running()).toBe(1);
      call.destroy();
      await until(() => first.running() === 0);
    });
  });

  test('RELAY-05 another channel gets a form that came meanwhile from its beginning', async () => {
    first.refuse(500);
    const body = `${model('spare')}${fileHead}${'x'.repeat(300_000)}${end}`;
    const { call, answer } = upload();
    for (let at = 0; at < body.length; at += 50_000) call.write(body.slice(at, at + 50_000));
    call.end();
    expect((await answer).status).toBe(200);
    expect(second.forms().at(-1)?.body.toString()).toBe(body);
  });

  test('RELAY-05 R23 a form too large to be kept is not sent twice', async () => {
    first.behave(() => ({ status: 500, body: '{"error":{"message":"fell over"}}' }));
    const before = second.forms().length;
    const { call, answer } = upload();
    call.end(`${model('spare')}${fileHead}${'x'.repeat(5 * 1024 * 1024)}${end}`);
    const { status, text: words } = await answer;
    expect(status).toBe(502);
    expect(words).toContain('fell over');
    expect(second.forms()).toHaveLength(before);
  });

  const refusals = [
    { name: 'no form', headers: { 'content-type': 'application/json' }, body: '{}', status: 400 },
    { name: 'no file', headers: {}, body: `${model('heard')}--B--\r\n`, status: 400 },
    { name: 'an unknown model', headers: {}, body: `${model('unknown')}${fileHead}x${end}`, status: 503 },
    { name: 'more than may be sent', headers: { 'content-length': '200000000' }, body: '', status: 413 },
  ];
  for (const { name, headers, body, status } of refusals) {
    test(`RELAY-08 ${name} is refused`, async () => {
      const { call, answer } = upload(headers);
      if (body === '') call.flushHeaders();
      else call.end(body);
      expect((await answer).status).toBe(status);
      call.destroy();
    });
  }

  test('RELAY-07 who cannot pay is refused before anything is sent', async () => {
    const poor = await relay.addUser({ quota: 500 });
    const before = first.received();
    const { call, answer } = upload({ authorization: `Bearer ${poor.key}` });
    call.write(model('whisper-1') + fileHead);
    const { status, text: words } = await answer;
    expect(status).toBe(403);
    expect(words).toContain('insufficient_user_quota');
    call.destroy();
    expect(first.received()).toBe(before);
  });
});

describe('images', () => {
  const images = { body: '{"created":1,"data":[{"url":"https://images.example/1.png"}]}' };
  const picture = () => toFile(Buffer.alloc(3000, 1), 'a.png', { type: 'image/png' });

  test('RELAY-02 RELAY-04 the official client has one edited and varied, priced by the request', async () => {
    first.behave(() => images);
    const edited = await client.images
      .edit({ image: await picture(), prompt: 'a weir', model: 'dall-e-2', n: 2, size: '512x512' })
      .withResponse();
    expect(edited.data.data?.[0]?.url).toBe('https://images.example/1.png');
    expect(first.forms().at(-1)).toMatchObject({
      path: '/v1/images/edits',
      fields: { image: 'a.png image/png 3000', prompt: 'a weir', n: '2' },
    });
    expect(await relay.chargeOf(idOf(edited.response))).toEqual({ amount: 22_500, estimated: 0 });
    const varied = await send('/v1/images/variations', { image: await picture() });
    expect(first.forms().at(-1)).toMatchObject({ path: '/v1/images/variations', fields: { model: 'dall-e-2' } });
    expect(await relay.chargeOf(idOf(varied))).toEqual({ amount: 12_500, estimated: 0 });
  });

  test('RELAY-02 several images and a mask keep their bytes where the model is redirected', async () => {
    first.behave(() => images);
    const { response } = await client.images
      .edit({ image: [await picture(), await picture()], mask: await picture(), prompt: 'p', model: 'drawer-2' })
      .withResponse();
    expect(first.forms().at(-1)?.fields).toMatchObject({ model: 'drawer', mask: 'a.png image/png 3000' });
    expect(await relay.chargeOf(idOf(response))).toEqual({ amount: 10_000, estimated: 0 });
  });

  test('RELAY-02 wrong requests are refused, and faults of the vendor cost nothing', async () => {
    await unchanged(async () => {
      first.behave(() => ({ body: '{}' }));
      const image = await picture();
      await expect(client.images.edit({ image, prompt: 'a weir' })).rejects.toMatchObject({ status: 502 });
      for (const [wrong, code] of [
        [{ prompt: '' }, 'prompt_missing'],
        [{ n: 11 }, 'n_not_within_range'],
        [{ size: '1536x1024' }, 'size_not_supported'],
        [{ stream: true }, 'invalid_text_request'],
      ] as const)
        await expect(client.images.edit({ image, prompt: 'a weir', ...wrong })).rejects.toMatchObject({
          status: 400,
          code,
        });
    });
  });
});

test('RELAY-07 the ledger agrees after all of this', async () => {
  await relay.settled();
  expect((await relay.disagreements()).filter((fault) => !fault.startsWith('L10'))).toEqual([]);
});
