import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinPath, parseBaseUrl } from './base-url.ts';

describe('parseBaseUrl', () => {
  test.each([
    ['https://api.openai.com', 'https://api.openai.com', ''],
    ['https://api.openai.com/', 'https://api.openai.com', ''],
    ['  http://127.0.0.1:8080/llm//  ', 'http://127.0.0.1:8080', '/llm'],
    ['https://host:443/v1/', 'https://host', '/v1'],
    ['https://HOST.example/Path', 'https://host.example', '/Path'],
    ['http://[::1]:9/x', 'http://[::1]:9', '/x'],
  ])('RELAY-01 reads %s', (text, origin, path) => {
    expect(parseBaseUrl(text)).toMatchObject({ origin, path });
  });

  test.each([
    '',
    'api.openai.com',
    'ftp://host',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    'http:// host',
  ])('RELAY-01 takes %j for no address', (text) => {
    expect(parseBaseUrl(text)).toBeNull();
  });

  test.each(['https://user:pass@host', 'https://host?key=1', 'https://host/#x', 'https://key@host/v1'])(
    'RELAY-01 refuses %s, which carries more than an address',
    (text) => {
      expect(parseBaseUrl(text)).toBeNull();
    },
  );
});

describe('joinPath', () => {
  const join = (base: string): string => {
    const parsed = parseBaseUrl(base);
    return parsed === null ? 'none' : parsed.origin + joinPath(parsed, '/v1', '/chat/completions');
  };
  test.each([
    ['https://h', 'https://h/v1/chat/completions'],
    ['https://h/', 'https://h/v1/chat/completions'],
    ['https://h/v1', 'https://h/v1/chat/completions'],
    ['https://h/v1/', 'https://h/v1/chat/completions'],
    ['https://h/api', 'https://h/api/v1/chat/completions'],
    ['https://h/api/v1', 'https://h/api/v1/chat/completions'],
    ['https://h/api/paas/v4', 'https://h/api/paas/v4/chat/completions'],
    ['https://h/compatible-mode/v1', 'https://h/compatible-mode/v1/chat/completions'],
    ['https://h/openai/v1', 'https://h/openai/v1/chat/completions'],
    ['https://h/v1beta', 'https://h/v1beta/chat/completions'],
    ['https://h/v1beta2', 'https://h/v1beta2/chat/completions'],
    ['https://h/v1x', 'https://h/v1x/v1/chat/completions'],
    ['https://h/v', 'https://h/v/v1/chat/completions'],
    ['https://h/v1/models', 'https://h/v1/models/v1/chat/completions'],
  ])('RELAY-01 of %s is %s', (base, url) => {
    expect(join(base)).toBe(url);
  });

  test('RELAY-01 names the version exactly once, however the base was pasted', () => {
    const segment = fc.constantFrom('api', 'openai', 'x-y', 'a.b', 'v1', 'v2', 'v12beta');
    const slashes = fc.constantFrom('', '/', '//');
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), slashes, (segments, end) => {
        const path = segments.map((one) => `/${one}`).join('');
        const joined = join(`https://h${path}${end}`);
        const versioned = /^v\d/.test(segments.at(-1) ?? '');
        expect(joined).toBe(`https://h${path}${versioned ? '' : '/v1'}/chat/completions`);
      }),
    );
  });
});
