import { describe, expect, test } from 'vitest';
import {
  codecOf,
  call,
  channel,
  ask,
  sentRequest,
  readEvents,
  turns,
  parameters,
  tools,
  system,
  contentEvent,
  toolCallEvents,
  withoutUsage,
} from '../../../test/provider-suite/codec-probe.ts';
import { providerOf } from '../providers.ts';
import { sparkHttp } from './spark-http.ts';
import { spark } from './spark.ts';

describe('PROVIDER-18 Spark', () => {
  const at = channel('app|secret|key');

  test('PROVIDER-18 sends one frame to a signed URL', () => {
    const { origin, path, body } = sentRequest(spark, {
      model: 'Spark-Max',
      conversation: { system, turns, tools, temperature: 0 },
      channel: at,
    });
    expect(origin).toBe('ws://127.0.0.1:9');
    expect(path).toMatch(/^\/v3\.5\/chat\?authorization=[\w%]+&date=[^&]+&host=127\.0\.0\.1%3A9$/);
    expect(body).toMatchObject({
      header: { app_id: 'app' },
      parameter: { chat: { domain: 'generalv3.5', temperature: 0.01 } },
      payload: {
        message: {
          text: [{ role: 'system' }, { role: 'user' }, { role: 'user' }, { role: 'assistant' }, { role: 'user' }],
        },
        functions: { text: [{ name: 'get_weather', parameters }] },
      },
    });
    const lite = sentRequest(spark, { model: 'SparkDesk-v1.1', conversation: { system, tools }, channel: at });
    expect(lite.body).toMatchObject({ payload: { message: { text: [{ role: 'user', content: 'Be brief.\n\nHi' }] } } });
    expect(lite.body['payload']).not.toHaveProperty('functions');
    expect(sentRequest(spark, { model: 'SparkDesk', channel: { ...at, base: null } })).toMatchObject({
      origin: 'wss://spark-api.xf-yun.com',
      body: { parameter: { chat: { domain: 'generalv2' } } },
    });
    expect(ask(spark, { channel: channel('a|b') })).toMatchObject({ kind: 'fault' });
    expect(ask(spark, { channel: channel('a|b|c', 'v9') })).toMatchObject({ kind: 'fault' });
  });

  const frames = [
    '{"header":{"code":0,"message":"Success","sid":"cht1","status":0},"payload":{"choices":{"status":0,"seq":0,"text":[{"content":"Let me check.","role":"assistant","content_type":"text","function_call":{"name":"get_weather","arguments":"{\\"city\\":\\"Paris\\"}"},"index":0}]}}}',
    '{"header":{"code":0,"message":"Success","sid":"cht1","status":2},"payload":{"choices":{"status":2,"seq":1,"text":[{"content":"","role":"assistant","index":0}]},"usage":{"text":{"question_tokens":5,"prompt_tokens":20,"completion_tokens":12,"total_tokens":32}}}}',
  ];

  test('PROVIDER-18 frames are a stream, and all of them a whole answer', () => {
    const { events, complete } = readEvents(spark, frames);
    expect(complete).toBe(true);
    expect(withoutUsage(events)).toEqual([
      { kind: 'start', id: 'cht1' },
      contentEvent('text', 'Let me check.'),
      ...toolCallEvents('call_r_0'),
      { kind: 'finish', finish: 'tool_calls' },
    ]);
    const whole = (text: string) => codecOf(spark).answer(Buffer.from(text), call());
    expect(whole(frames.join('\n'))).toMatchObject({
      id: 'cht1',
      parts: [
        { kind: 'text', text: 'Let me check.' },
        { kind: 'tool_call', name: 'get_weather', arguments: '{"city":"Paris"}' },
      ],
      finish: 'tool_calls',
      usage: { prompt: 20, completion: 12, total: 32 },
    });
    expect(whole(frames[0] ?? '')).toMatchObject({ kind: 'refusal', failure: { status: 502 } });
    const failed = (code: number) =>
      readEvents(spark, [`{"header":{"code":${code},"message":"no","sid":"cht1","status":2}}`]).failure;
    expect(failed(11_202)).toMatchObject({ status: 429 });
    expect(failed(10_013)).toMatchObject({ status: 400, error: { code: 'content_filter' } });
    expect(failed(11_200)).toMatchObject({ error: { code: 'insufficient_quota' } });
  });

  test('PROVIDER-18 uses HTTP with its password, or with two parts of its key', () => {
    const http = channel('app|secret|key', '', 'https://spark-api-open.xf-yun.com/v1');
    expect(providerOf(18, http)).toBe(sparkHttp);
    expect(providerOf(18, at)).toBe(spark);
    expect(sentRequest(sparkHttp, { model: 'Spark-Max', channel: http })).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: 'generalv3.5' },
    });
    expect(sentRequest(sparkHttp, { channel: http }).headers.at(-1)).toBe('Bearer key:secret');
    expect(sentRequest(sparkHttp, { channel: { ...channel('password'), base: null } })).toMatchObject({
      origin: 'https://spark-api-open.xf-yun.com',
      headers: ['content-type', 'application/json', 'accept', 'application/json', 'authorization', 'Bearer password'],
    });
  });
});
