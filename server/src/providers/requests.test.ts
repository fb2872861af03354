import fc from 'fast-check';
import { vendorOf } from '@weir/contract/catalogue/vendors';
import { describe, expect, test } from 'vitest';
import { providerCall } from '../../test/provider-suite/provider-call.ts';
import type { BodyChanges } from '../conversation/body-changes.ts';
import { parseBaseUrl } from './base-url.ts';
import type { ProviderChannel, UpstreamRequest } from './provider.ts';
import { providerOf } from './providers.ts';

const key = 'sk-test-key';

interface CallOptions {
  readonly type: number;
  /** Absent: the default of the type. */
  readonly base?: string;
  readonly model?: string;
  readonly redirected?: boolean;
  readonly stream?: boolean;
  readonly includeUsage?: boolean;
  readonly outputCap?: number | null;
  readonly other?: string;
  readonly query?: string;
  readonly channelKey?: string;
}

/** The request that a type builds for a call, with its changes of the body. */
const make = (options: CallOptions) => {
  const provider = providerOf(options.type)?.native['openai-chat'];
  if (provider === undefined) throw new Error(`type ${options.type} has no provider`);
  let changes: BodyChanges | undefined;
  const call = providerCall({
    query: options.query ?? '',
    model: options.model ?? 'some-model',
    redirected: options.redirected ?? false,
    stream: options.stream ?? false,
    includeUsage: options.includeUsage ?? false,
    gateway: { name: 'Weir – 堰', address: 'https://weir.example/a b' },
    outputCap: options.outputCap ?? null,
    body: (wanted) => {
      changes = wanted;
      return Buffer.from('{}');
    },
  });
  const base = parseBaseUrl(options.base ?? vendorOf(options.type)?.baseUrl ?? '');
  const channel: ProviderChannel = { base, key: options.channelKey ?? key, other: options.other ?? '' };
  return { request: provider.request(call, channel), changes: () => changes };
};

const sent = (options: CallOptions): UpstreamRequest => {
  const { request } = make(options);
  if ('kind' in request) throw new Error(`no request: ${JSON.stringify(request)}`);
  return request;
};
const urlOf = (options: CallOptions): string => {
  const { origin, path } = sent(options);
  return origin + path;
};
const headersOf = (options: CallOptions): Readonly<Record<string, string>> => {
  const { headers } = sent(options);
  return Object.fromEntries(
    headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : [])),
  );
};

/** The URL of each type for a channel without a base URL. */
const addresses: readonly (readonly [number, string])[] = [
  [1, 'https://api.openai.com/v1/chat/completions'],
  [2, 'https://oa.api2d.net/v1/chat/completions'],
  [4, 'https://api.closeai-proxy.xyz/v1/chat/completions'],
  [5, 'https://api.openai-sb.com/v1/chat/completions'],
  [6, 'https://api.openaimax.com/v1/chat/completions'],
  [7, 'https://api.ohmygpt.com/v1/chat/completions'],
  [9, 'https://api.caipacity.com/v1/chat/completions'],
  [10, 'https://api.aiproxy.io/v1/chat/completions'],
  [12, 'https://api.api2gpt.com/v1/chat/completions'],
  [13, 'https://api.aigc2d.com/v1/chat/completions'],
  [19, 'https://ai.360.cn/v1/chat/completions'],
  [20, 'https://openrouter.ai/api/v1/chat/completions'],
  [22, 'https://fastgpt.run/api/openapi/v1/chat/completions'],
  [25, 'https://api.moonshot.cn/v1/chat/completions'],
  [26, 'https://api.baichuan-ai.com/v1/chat/completions'],
  [27, 'https://api.minimax.chat/v1/chat/completions'],
  [28, 'https://api.mistral.ai/v1/chat/completions'],
  [29, 'https://api.groq.com/openai/v1/chat/completions'],
  [31, 'https://api.lingyiwanwu.com/v1/chat/completions'],
  [32, 'https://api.stepfun.com/v1/chat/completions'],
  [36, 'https://api.deepseek.com/v1/chat/completions'],
  [39, 'https://api.together.xyz/v1/chat/completions'],
  [40, 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
  [44, 'https://api.siliconflow.cn/v1/chat/completions'],
  [45, 'https://api.x.ai/v1/chat/completions'],
  [47, 'https://qianfan.baidubce.com/v2/chat/completions'],
  [48, 'https://spark-api-open.xf-yun.com/v1/chat/completions'],
  [49, 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
];

/** The version prefix of the path where it is not OpenAI's. */
const ownVersions = new Map([
  [40, '/api/v3'],
  [47, '/v2'],
  [49, '/compatible-mode/v1'],
]);

describe('a channel', () => {
  test.each(addresses)('PROVIDER-%i without a base URL calls %s', (type, url) => {
    expect(urlOf({ type })).toBe(url);
    expect(urlOf({ type, query: '?a=b%20c&d' })).toBe(`${url}?a=b%20c&d`);
    expect(headersOf({ type })).toMatchObject({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(headersOf({ type, stream: true })['accept']).toBe('text/event-stream');
    expect(urlOf({ type, base: 'https://own.example/x' })).toBe(
      `https://own.example/x${ownVersions.get(type) ?? '/v1'}/chat/completions`,
    );
    for (const base of ['https://own.example/x/v1/', ' https://own.example/x/v1 '])
      expect(urlOf({ type, base })).toBe('https://own.example/x/v1/chat/completions');
    expect(urlOf({ type, base: 'https://own.example/api/paas/v4' })).toBe(
      'https://own.example/api/paas/v4/chat/completions',
    );
  });

  test.each([3, 8, 50])('PROVIDER-%i without a base URL cannot be called', (type) => {
    expect(make({ type }).request).toMatchObject({ kind: 'fault' });
    expect(make({ type, base: 'no address' }).request).toMatchObject({ kind: 'fault' });
  });

  test.each([1, 8])('PROVIDER-%i on Cloudflare’s gateway is called without the version', (type) => {
    const base = 'https://gateway.ai.cloudflare.com/v1/account/gateway/openai';
    expect(urlOf({ type, base })).toBe(`${base}/chat/completions`);
    expect(urlOf({ type, base: 'https://gateway.ai.cloudflare.com.evil.example/v1/x' })).toBe(
      'https://gateway.ai.cloudflare.com.evil.example/v1/x/v1/chat/completions',
    );
  });

  test('PROVIDER-41 PROVIDER-50 PROVIDER-51 are called directly below their base URL', () => {
    expect(urlOf({ type: 41 })).toBe('https://api.novita.ai/v3/openai/chat/completions');
    expect(urlOf({ type: 51 })).toBe('https://generativelanguage.googleapis.com/v1beta/openai/chat/completions');
    for (const base of ['https://own.example', 'https://own.example/api/v1/'])
      expect(urlOf({ type: 50, base })).toBe(`${base.replace(/\/$/, '')}/chat/completions`);
  });

  test('PROVIDER-37 has the channel’s account in its path, unless the base URL has one', () => {
    const path = '/client/v4/accounts/account-1/ai/v1/chat/completions';
    expect(urlOf({ type: 37, other: 'account-1' })).toBe(`https://api.cloudflare.com${path}`);
    const gateway = 'https://gateway.ai.cloudflare.com/v1/account-1/gateway/workers-ai';
    for (const base of [
      gateway,
      `${gateway}/v1`,
      `https://api.cloudflare.com${path.replace('/v1/chat/completions', '')}`,
    ])
      expect(urlOf({ type: 37, base })).toBe(`${base.replace(/\/v1$/, '')}/v1/chat/completions`);
    for (const other of ['', '../x', 'a/b', 'a?b'])
      expect(make({ type: 37, other }).request).toMatchObject({ kind: 'fault' });
  });

  test('PROVIDER-27 has its own path for old models on the old host', () => {
    for (const model of ['abab6.5s-chat', 'MiniMax-Text-01'])
      expect(urlOf({ type: 27, model })).toBe('https://api.minimax.chat/v1/text/chatcompletion_v2');
    expect(urlOf({ type: 27, model: 'MiniMax-M2' })).toBe('https://api.minimax.chat/v1/chat/completions');
    expect(urlOf({ type: 27, model: 'abab6.5s-chat', base: 'https://api.minimaxi.com' })).toBe(
      'https://api.minimaxi.com/v1/chat/completions',
    );
  });

  test('PROVIDER-20 names the gateway', () => {
    const headers = headersOf({ type: 20 });
    expect(headers['x-title']).toBe('Weir%20%E2%80%93%20%E5%A0%B0');
    expect(headers['http-referer']).toBe('https://weir.example/a%20b');
    expect(headersOf({ type: 1 })).not.toHaveProperty('x-title');
  });

  test.each(['a\nb', 'a\r\nx-evil: 1', 'ключ', 'a\0b'])(
    'RELAY-01 B43 a key that is no header value is never sent: %j',
    (channelKey) => {
      for (const type of [1, 3, 20])
        expect(make({ type, base: 'https://h', channelKey }).request).toMatchObject({ kind: 'fault' });
    },
  );
});

describe('an Azure channel', () => {
  const azure = (options: Omit<CallOptions, 'type'>) => ({ type: 3, base: 'https://r.openai.azure.com', ...options });

  test.each([
    [
      { model: 'gpt-4o' },
      'https://r.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-03-01-preview',
    ],
    [
      { model: 'gpt-3.5-turbo', other: '2024-10-21' },
      'https://r.openai.azure.com/openai/deployments/gpt-35-turbo/chat/completions?api-version=2024-10-21',
    ],
    [
      { model: 'my.deployment', redirected: true, other: '2024-10-21' },
      'https://r.openai.azure.com/openai/deployments/my.deployment/chat/completions?api-version=2024-10-21',
    ],
    [{ other: 'v1' }, 'https://r.openai.azure.com/openai/v1/chat/completions'],
    [{ other: 'latest' }, 'https://r.openai.azure.com/openai/v1/chat/completions'],
    [{ other: 'preview' }, 'https://r.openai.azure.com/openai/v1/chat/completions?api-version=preview'],
    [{ base: 'https://r.openai.azure.com/openai/v1/' }, 'https://r.openai.azure.com/openai/v1/chat/completions'],
    [
      { query: '?x=1', model: 'm', other: '2024-10-21' },
      'https://r.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-10-21',
    ],
    [
      { model: 'm', other: '1&evil=2#' },
      'https://r.openai.azure.com/openai/deployments/m/chat/completions?api-version=1%26evil%3D2%23',
    ],
  ] as const)('PROVIDER-3 with %j calls %s', (options, url) => {
    expect(urlOf(azure(options))).toBe(url);
  });

  test('PROVIDER-3 sends its key in Azure’s header, an Entra token as a bearer', () => {
    expect(headersOf(azure({}))).toMatchObject({ 'api-key': key });
    expect(headersOf(azure({}))).not.toHaveProperty('authorization');
    const token = 'eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl';
    expect(headersOf(azure({ channelKey: token }))).toMatchObject({ authorization: `Bearer ${token}` });
    expect(headersOf(azure({ channelKey: token }))).not.toHaveProperty('api-key');
  });

  test('PROVIDER-3 requests the usage of a stream since the version that supports it', () => {
    const asks = (other: string) => {
      const { changes } = make(azure({ stream: true, other }));
      return changes()?.includeUsage === true;
    };
    expect(['', '2024-03-01-preview', '2024-08-01-preview'].map(asks)).toEqual([false, false, false]);
    expect(['2024-09-01-preview', '2024-10-21', '2025-04-01-preview', 'v1', 'preview'].map(asks)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  test('PROVIDER-3 B42 no model escapes its path segment', () => {
    const names = fc.oneof(
      fc.string(),
      fc.constantFrom('../x', '..%2fx', 'a/b', 'a?b', 'a#b', 'a\\b', '%2e%2e', '.', '..', 'a b', '\r\nHost: evil'),
    );
    fc.assert(
      fc.property(names, fc.boolean(), (model, redirected) => {
        const { request } = make(azure({ model, redirected, other: '2024-10-21' }));
        if ('kind' in request) return;
        const url = new URL(request.origin + request.path);
        expect(url.host).toBe('r.openai.azure.com');
        expect(url.search).toBe('?api-version=2024-10-21');
        expect(url.pathname).toMatch(/^\/openai\/deployments\/[^/]+\/chat\/completions$/);
      }),
    );
  });
});

describe('the body', () => {
  const changesOf = (options: CallOptions) => {
    const { changes } = make({ base: 'https://h', ...options });
    return changes();
  };

  test('RELAY-01 is changed in nothing where nothing must change', () => {
    expect(changesOf({ type: 1 })).toEqual({});
    expect(changesOf({ type: 1, stream: true, includeUsage: true })).toEqual({});
  });

  test('RELAY-01 names the redirected model', () => {
    expect(changesOf({ type: 1, model: 'other', redirected: true })).toEqual({ model: 'other' });
  });

  const silent = [19, 22, 26, 28, 31, 48];
  test.each(addresses.map(([type]) => type))(
    'PROVIDER-%i requests the usage of a stream only if the vendor supports it',
    (type) => {
      expect(changesOf({ type, stream: true })).toEqual(silent.includes(type) ? {} : { includeUsage: true });
    },
  );

  test('RELAY-07 is bounded by the member that the model accepts', () => {
    const memberOf = (type: number, model: string) => changesOf({ type, model, outputCap: 7 })?.outputLimit;
    for (const model of ['gpt-4o', 'gpt-3.5-turbo', 'llama-3', 'omni'])
      expect(memberOf(1, model)).toEqual({ tokens: 7, member: 'max_tokens' });
    for (const model of ['o1', 'o3-mini', 'gpt-5', 'gpt-6-sol'])
      expect(memberOf(1, model)).toEqual({ tokens: 7, member: 'max_completion_tokens' });
    expect(memberOf(28, 'o1')).toEqual({ tokens: 7, member: 'max_tokens' });
  });
});

test('RELAY-05 numbers outside the catalogue have no provider', () => {
  const unknown = [0, -1, 999, 1.5];
  expect(unknown.map((type) => providerOf(type))).toEqual(unknown.map(() => null));
});
