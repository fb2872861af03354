import { once } from 'node:events';
import { createServer } from 'node:http';
import { endpoints, pathOf } from '../../server/test/contract/endpoints.ts';
import { prepareRelay, signIn } from '../support/actions.ts';
import { test as base, expect, type Gateway } from '../support/gateway.ts';

const test = base.extend<{ elsewhere: string }>({
  /** Another origin of the same host: its requests carry the gateway's cookies, whatever their SameSite attribute. */
  elsewhere: async ({}, use) => {
    const server = createServer((_, response) => response.end('<!doctype html><title>Elsewhere</title>'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    await use(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
    server.closeAllConnections();
    server.close();
  },
});

interface Target {
  readonly method: string;
  readonly url: string;
}

/** Every kind of request that a page can make a browser send without navigating away. */
const attack = async (targets: readonly Target[]): Promise<void> => {
  const loaded = (element: HTMLElement, begin: () => void) =>
    new Promise((resolve) => {
      element.addEventListener('load', resolve);
      element.addEventListener('error', resolve);
      document.body.append(element);
      begin();
    });
  const frame = (begin: (name: string, element: HTMLIFrameElement) => void) => {
    const element = document.createElement('iframe');
    element.name = `frame${document.querySelectorAll('iframe').length}`;
    return loaded(element, () => begin(element.name, element));
  };
  const send = async ({ method, url }: Target): Promise<void> => {
    const body = method === 'GET' ? {} : { body: '{"id":1,"username":"root","key":"Theme","value":"dark"}' };
    // A request that is not simple is sent only after a successful preflight.
    const mode = ['GET', 'POST'].includes(method) ? 'no-cors' : 'cors';
    await fetch(url, { method, mode, credentials: 'include', ...body }).catch(() => undefined);
    if (method === 'GET') {
      const image = new Image();
      await loaded(image, () => (image.src = url));
      await frame((_, element) => (element.src = url));
    }
    if (method === 'POST') {
      await frame((name) => {
        const form = document.createElement('form');
        Object.assign(form, { method: 'post', action: url, target: name, enctype: 'text/plain' });
        const field = document.createElement('input');
        Object.assign(field, { name: '{"username":"planted","password":"planted password","x":"', value: '"}' });
        form.append(field);
        document.body.append(form);
        form.submit();
      });
    }
  };
  await Promise.all(targets.map(send));
};

/** The data that an attack could have changed. */
const stateOf = async (gateway: Gateway): Promise<unknown> => {
  const root = await gateway.signIn();
  const paths = ['user/', 'token/', 'channel/', 'redemption/', 'option/'];
  return Promise.all(paths.map((path) => root.call('GET', `/api/${path}`)));
};

test('API-01 no page of another origin changes anything by form, image, frame, fetch or navigation, on any route with effects', async ({
  page,
  gateway,
  elsewhere,
}) => {
  await prepareRelay(gateway);
  await signIn(page, gateway, '/');
  const before = await stateOf(gateway);
  const targets = [...endpoints.values()]
    .filter(({ effect }) => effect)
    .map((endpoint) => ({ method: endpoint.method, url: `${gateway.url}${pathOf(endpoint, '1')}` }));
  const answered = new Map<string, Set<number>>();
  page.context().on('response', (response) => {
    const request = response.request();
    const call = `${request.method()} ${response.url()}`;
    answered.set(call, (answered.get(call) ?? new Set()).add(response.status()));
  });

  await page.goto(elsewhere);
  await page.evaluate(attack, targets);
  // A page cannot send PUT and DELETE to another origin: the browser's preflight gets no permission.
  const sendable = targets.filter(({ method }) => ['GET', 'POST'].includes(method));
  const unanswered = () => sendable.filter(({ method, url }) => !answered.has(`${method} ${url}`));
  // Responses that the browser has not reported yet are lost when the page is left.
  await expect.poll(unanswered).toEqual([]);
  const links = targets.filter(({ method }) => method === 'GET');
  for (const { url } of links) {
    await page.goto(elsewhere);
    const left = page.waitForResponse(url);
    await page.evaluate((to) => location.assign(to), url);
    await (await left).finished();
  }

  for (const { method, url } of sendable) expect([...(answered.get(`${method} ${url}`) ?? [])], url).toEqual([403]);
  const others = targets.filter((target) => !sendable.includes(target));
  for (const { method, url } of others) expect(answered.has(`${method} ${url}`), url).toBe(false);
  expect(await stateOf(gateway)).toEqual(before);
  await page.goto('/setting');
  await expect(page).toHaveURL(/\/setting$/);
});
