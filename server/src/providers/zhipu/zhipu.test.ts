import { describe, expect, test } from 'vitest';
import { call, channel } from '../../../test/provider-suite/codec-probe.ts';
import { providerOf } from '../providers.ts';

describe('PROVIDER-16 Zhipu', () => {
  const zhipu = () => providerOf(16, channel('id.secret'));

  test('PROVIDER-16 has its own path, unless the base URL contains it', () => {
    const path = (base: string) => {
      const request = zhipu()?.native['openai-chat']?.request(call(), channel('id.secret', '', base));
      return request !== undefined && 'path' in request ? request.path : request;
    };
    expect(path('https://open.bigmodel.cn')).toBe('/api/paas/v4/chat/completions');
    expect(path('https://open.bigmodel.cn/api/coding/paas/v4')).toBe('/api/coding/paas/v4/chat/completions');
  });

  test.each([
    [401, '1002', 401, 'invalid_api_key'],
    [429, '1113', 429, 'insufficient_quota'],
    [400, '1211', 404, 'model_not_found'],
    [400, '1261', 400, 'context_length_exceeded'],
    [400, '1301', 400, 'content_filter'],
    [429, '1302', 429, 'rate_limit_exceeded'],
  ])('PROVIDER-16 reports status %i with code %s', (status, code, reported, name) => {
    const body = Buffer.from(JSON.stringify({ error: { code, message: 'no' } }));
    expect(zhipu()?.codec?.failure(status, body)).toMatchObject({ status: reported, error: { code: name } });
  });
});
