import { expect, test } from 'vitest';
import { signSpark } from './spark-signature.ts';

const host = 'spark-api.xf-yun.com';

const authorizationOf = (address: string): string => new URL(address).searchParams.get('authorization') ?? '';
const signatureOf = (address: string): string | undefined =>
  /signature="([^"]+)"/.exec(Buffer.from(authorizationOf(address), 'base64').toString())?.[1];

test("PROVIDER-18 reproduces the vendor's example of a signed address", () => {
  const address = signSpark({
    apiKey: 'addd2272b6d8b7c8abdd79531420ca3b',
    apiSecret: 'MjlmNzkzNmZkMDQ2OTc0ZDdmNGE2ZTZi',
    origin: `wss://${host}`,
    path: '/v1.1/chat',
    now: Date.parse('Fri, 05 May 2023 10:43:39 GMT'),
  });
  expect(authorizationOf(address)).toBe(
    'YXBpX2tleT0iYWRkZDIyNzJiNmQ4YjdjOGFiZGQ3OTUzMTQyMGNhM2IiLCBhbGdvcml0aG09ImhtYWMtc2hhMjU2IiwgaGVhZGVycz0iaG9zdCBkYXRlIHJlcXVlc3QtbGluZSIsIHNpZ25hdHVyZT0iejVnSGR1M3B4VlY0QURNeWs0Njd3T1dEUTlxNkJRelIzbmZNVGpjL0RhUT0i',
  );
  const { searchParams, pathname, protocol } = new URL(address);
  expect({ protocol, pathname, host: searchParams.get('host'), date: searchParams.get('date') }).toStrictEqual({
    protocol: 'wss:',
    pathname: '/v1.1/chat',
    host,
    date: 'Fri, 05 May 2023 10:43:39 GMT',
  });
});

test('PROVIDER-18 signs host, date and path', () => {
  const request = { apiKey: 'ak_example', apiSecret: 'as_example', origin: `wss://${host}`, path: '/v3.5/chat' };
  const now = Date.parse('Tue, 14 Nov 2023 22:13:20 GMT');
  expect(signatureOf(signSpark({ ...request, now }))).toBe('XdgPbqe46cmHyl0AAe4c+GMqCg/Ms5u/A8pJnLanQMs=');
  const signatures = [
    signSpark({ ...request, now }),
    signSpark({ ...request, now: now + 1000 }),
    signSpark({ ...request, now, path: '/v4.0/chat' }),
    signSpark({ ...request, now, origin: 'ws://127.0.0.1:8080' }),
  ].map(signatureOf);
  expect(new Set(signatures).size).toBe(4);
});
