import { describe, expect, test } from 'vitest';
import {
  codecOf,
  channel,
  ask,
  sentRequest,
  readEvents,
  turns,
  parameters,
  tools,
  system,
  image,
  contentEvent,
  toolCallEvents,
  withoutUsage,
  lastUsage,
} from '../../../test/provider-suite/codec-probe.ts';
import { baidu } from './baidu.ts';
import { providerOf } from '../providers.ts';
import { qianfan } from './qianfan.ts';

describe('PROVIDER-15 Baidu', () => {
  const at = channel('ak|sk');

  test('PROVIDER-15 exchanges its key for a token, which its calls carry', () => {
    const exchange = codecOf(baidu).prerequisites?.credential?.(at) ?? null;
    if (exchange === null || 'kind' in exchange) throw new Error('no exchange');
    expect(exchange.request(0).path).toBe(
      '/oauth/2.0/token?grant_type=client_credentials&client_id=ak&client_secret=sk',
    );
    const read = (status: number, body: object) => exchange.read(status, Buffer.from(JSON.stringify(body)), 1000);
    expect(read(200, { access_token: '24.x', expires_in: 2_592_000 })).toEqual({
      value: '24.x',
      usableUntil: 1000 + 2_588_400_000,
    });
    const refused = { error: 'invalid_client', error_description: 'unknown client id' };
    expect(read(401, refused)).toMatchObject({
      kind: 'refusal',
      failure: { status: 401, error: { message: 'unknown client id' } },
    });
    expect(codecOf(baidu).prerequisites?.credential?.(channel('only-one'))).toMatchObject({ kind: 'fault' });
    const { path, body } = sentRequest(baidu, {
      model: 'ERNIE-Bot-turbo',
      conversation: { system, turns, tools, temperature: 0 },
      channel: at,
    });
    expect(path).toBe('/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/eb-instant?access_token=a-token');
    expect(body).toMatchObject({
      system: 'Be brief.',
      temperature: 0.01,
      messages: [
        { role: 'user', content: 'One\nTwo' },
        { role: 'assistant', function_call: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
        { role: 'function', name: 'get_weather', content: '18C' },
      ],
      functions: [{ name: 'get_weather', parameters }],
    });
    expect(ask(baidu, { conversation: { turns: [{ role: 'user', parts: [image] }] }, channel: at })).toMatchObject({
      kind: 'refusal',
    });
  });

  test('PROVIDER-15 ends with the sentence marked as last, and requests a new token when its own has expired', () => {
    const { events, complete } = readEvents(baidu, [
      '{"id":"as-1","object":"chat.completion","created":1,"sentence_id":0,"is_end":false,"is_truncated":false,"result":"Let me","usage":{"prompt_tokens":20,"completion_tokens":2,"total_tokens":22}}',
      '{"id":"as-1","object":"chat.completion","created":1,"sentence_id":1,"is_end":true,"is_truncated":false,"result":"","need_clear_history":false,"function_call":{"name":"get_weather","arguments":"{\\"city\\":\\"Paris\\"}","thoughts":"need weather"},"usage":{"prompt_tokens":20,"completion_tokens":12,"total_tokens":32}}',
    ]);
    expect(complete).toBe(true);
    expect(withoutUsage(events)).toEqual([
      { kind: 'start', id: 'as-1' },
      contentEvent('text', 'Let me'),
      ...toolCallEvents('call_r_0'),
      { kind: 'finish', finish: 'tool_calls' },
    ]);
    expect(lastUsage(events)).toMatchObject({ prompt: 20, completion: 12 });
    expect(
      readEvents(baidu, ['{"error_code":110,"error_msg":"Access token invalid or no longer valid"}']).failure,
    ).toMatchObject({
      status: 401,
      staleCredential: true,
    });
    expect(
      readEvents(baidu, ['{"error_code":18,"error_msg":"Open api qps request limit reached"}']).failure?.status,
    ).toBe(429);
    expect(codecOf(baidu).failure(404, Buffer.from('gone')).error.code).toBe('upstream_retired');
  });

  test('PROVIDER-15 uses the newer API for its keys and its names', () => {
    const at2 = channel('bce-v3/ALTAK-x/y', '', 'https://aip.baidubce.com');
    expect(providerOf(15, at2)).toBe(qianfan);
    expect(providerOf(15, at)).toBe(baidu);
    expect(sentRequest(qianfan, { model: 'ERNIE-4.0-8K', channel: at2 })).toMatchObject({
      origin: 'https://qianfan.baidubce.com',
      path: '/v2/chat/completions',
      body: { model: 'ernie-4.0-8k' },
    });
  });
});
