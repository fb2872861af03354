import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createOutbound, OutboundError } from './outbound.ts';

const guardOf = (allows: (address: string) => boolean) => ({
  allows,
  // As `address-guard.ts` does it: a name whose addresses are not allowed fails to resolve.
  lookup: (
    _host: string,
    _options: unknown,
    callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
  ) =>
    callback(allows('127.0.0.1') ? null : new Error('the address is not allowed'), [
      { address: '127.0.0.1', family: 4 },
    ]),
});
const open = guardOf(() => true);

let closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing) close();
  closing = [];
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
};

test('a call sends its method, headers and body, as JSON or as a form, and reads the whole answer', async () => {
  const seen: string[] = [];
  const url = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      seen.push([method, path, headers['content-type'], headers.accept, headers['x-own'], body].join(' '));
      response.writeHead(201).end('水 answered');
    });
  });
  const call = createOutbound({ guard: open });
  const answer = await call({ method: 'POST', url: `${url}/a?b=1`, json: { text: '水' }, headers: { 'x-own': 'yes' } });
  expect(answer).toEqual({ status: 201, text: '水 answered' });
  await call({ method: 'POST', url, form: { one: 'a b', two: '&' }, headers: { accept: 'text/plain' } });
  await call({ method: 'GET', url });
  expect(seen).toEqual([
    'POST /a?b=1 application/json; charset=utf-8 application/json yes {"text":"水"}',
    'POST / application/x-www-form-urlencoded text/plain  one=a+b&two=%26',
    'GET /  application/json  ',
  ]);
});

test('a redirect is an answer and is not followed', async () => {
  let requestCount = 0;
  const url = await serve((_request, response) => {
    requestCount += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect(await createOutbound({ guard: open })({ method: 'GET', url })).toEqual({ status: 302, text: '' });
  expect(requestCount).toBe(1);
});

test('an answer that is too long, never comes, never ends or breaks off fails without naming what was sent', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/long') response.end('x'.repeat(2000));
    if (request.url === '/endless') response.write('x');
    if (request.url === '/broken') {
      response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
    }
  });
  const call = createOutbound({ guard: open, timeoutMs: 300 });
  for (const path of ['/long', '/silent', '/endless', '/broken']) {
    const answer = call({
      method: 'POST',
      url: `${url}${path}`,
      json: { key: 'canary-body' },
      headers: { authorization: 'canary-header' },
      answerMaxBytes: 1000,
    });
    const error: unknown = await answer.catch((reason: unknown) => reason);
    expect(error, path).toBeInstanceOf(OutboundError);
    expect(String(error), path).not.toContain('canary');
  }
});

test('an address that may not be reached is not, be it named or literal, and neither is what is no web address', async () => {
  let requestCount = 0;
  const url = await serve((_request, response) => {
    requestCount += 1;
    response.end();
  });
  const call = createOutbound({ guard: guardOf((address) => !address.startsWith('127.')) });
  for (const wrong of [url, url.replace('127.0.0.1', 'localhost'), 'file:///etc/passwd', '']) {
    await expect(call({ method: 'GET', url: wrong }), wrong).rejects.toThrow(OutboundError);
  }
  expect(requestCount).toBe(0);
});
