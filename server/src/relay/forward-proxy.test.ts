import { expect, test } from 'vitest';
import { createProxyChoice, readForwardProxy } from './forward-proxy.ts';

test('R25 an address of a proxy is http or https, with or without an account', () => {
  expect(readForwardProxy('http://weir:p%40ss@proxy:3128')).toMatchObject({
    host: 'proxy',
    port: 3128,
    secure: false,
    authorization: `Basic ${Buffer.from('weir:p@ss').toString('base64')}`,
  });
  expect(readForwardProxy('https://[::1]')).toMatchObject({ host: '::1', port: 443, secure: true, authorization: '' });
  for (const text of ['', 'proxy:3128', 'socks5://proxy:1080', 'http://a:%zz@proxy'])
    expect(readForwardProxy(text), text).toBeNull();
});

const choose = createProxyChoice({
  https: 'http://secure:1',
  http: 'http://plain:2',
  none: 'Example.org, .corp.test *.dev.test,10.0.0.0/8,host.test:8080,2001:db8::1',
});

test.each([
  ['https://api.openai.com', 'secure'],
  ['wss://api.openai.com', 'secure'],
  ['http://api.openai.com', 'plain'],
  ['https://example.org', undefined],
  ['https://eu.example.org:8443', undefined],
  ['https://notexample.org', 'secure'],
  ['http://a.corp.test', undefined],
  ['http://a.dev.test', undefined],
  ['http://10.2.3.4:11434', undefined],
  ['http://11.2.3.4', 'plain'],
  ['http://host.test:8080', undefined],
  ['http://host.test:8081', 'plain'],
  ['http://[2001:db8::1]', undefined],
  ['http://localhost:11434', undefined],
  ['http://127.0.0.1:11434', undefined],
  ['http://[::1]:11434', undefined],
])('R25 by the environment, %s is reached through %s', (origin, host) => {
  expect(choose(origin)?.host).toBe(host);
});

test('R25 without proxies, or with NO_PROXY for all, everything is reached directly', () => {
  expect(createProxyChoice({})('https://api.openai.com')).toBeNull();
  expect(createProxyChoice({ https: 'http://secure:1', none: '*' })('https://api.openai.com')).toBeNull();
});
