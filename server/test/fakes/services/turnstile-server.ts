import { randomUUID } from 'node:crypto';
import { type Counterpart, demand, startCounterpart } from './counterpart.ts';

/** Cloudflare's human verification, strictly: its script, its frame, and siteverify, which takes each token once. */
export interface TurnstileServer extends Counterpart {
  readonly siteKey: string;
  readonly secretKey: string;
  /** A token as the widget gives it to a user who solved it on a page of this host. */
  solve(hostname: string): string;
}

const siteKey = '1x0000-site';
const secretKey = 'turnstile-secret-canary';

/** `render` puts a frame of the service into the page, as the real script does; the frame says when it is solved. */
const script = `(() => {
  const origin = new URL(document.currentScript.src).origin;
  const widgets = new Map();
  addEventListener('message', (event) => {
    if (event.origin !== origin) return;
    for (const { frame, options } of widgets.values())
      if (frame.contentWindow === event.source) options.callback(event.data);
  });
  const open = (options) => {
    const frame = document.createElement('iframe');
    frame.title = 'Widget containing a security challenge';
    frame.width = '300';
    frame.height = '65';
    frame.src = origin + '/turnstile/v0/frame?sitekey=' + options.sitekey + '&hostname=' + location.hostname;
    return frame;
  };
  window.turnstile = {
    render: (container, options) => {
      const id = 'widget-' + widgets.size;
      const frame = open(options);
      widgets.set(id, { frame, options });
      container.append(frame);
      return id;
    },
    reset: (id) => {
      const { frame } = widgets.get(id);
      frame.src = frame.src;
    },
    remove: (id) => {
      widgets.get(id).frame.remove();
      widgets.delete(id);
    },
  };
})();`;

const frame = (token: string): string => `<!doctype html>
<html lang="en"><title>Challenge</title>
<button type="button" id="solve">I am human</button>
<script>document.getElementById('solve').onclick = () => parent.postMessage('${token}', '*');</script>
</html>`;

export const startTurnstileServer = async (): Promise<TurnstileServer> => {
  const solved = new Map<string, string>();
  const solve = (hostname: string): string => {
    const token = `0.${randomUUID()}`;
    solved.set(token, hostname);
    return token;
  };
  const counterpart = await startCounterpart({
    'GET /turnstile/v0/api.js': ({ query }) => {
      demand(query.get('render') === 'explicit', `render ${query.get('render')}`);
      return { headers: { 'content-type': 'text/javascript; charset=utf-8' }, body: script };
    },
    'GET /turnstile/v0/frame': ({ query }) => {
      demand(query.get('sitekey') === siteKey, `site key ${query.get('sitekey')}`);
      return { body: frame(solve(query.get('hostname') ?? '')) };
    },
    'POST /turnstile/v0/siteverify': ({ headers, body }) => {
      demand(headers['content-type'] === 'application/x-www-form-urlencoded', `type ${headers['content-type']}`);
      const form = new URLSearchParams(body);
      demand([...form.keys()].toSorted().join() === 'remoteip,response,secret', `members ${body}`);
      demand(form.get('secret') === secretKey, 'wrong secret');
      const token = form.get('response') ?? '';
      const hostname = solved.get(token);
      if (!solved.delete(token)) return { body: { success: false, 'error-codes': ['timeout-or-duplicate'] } };
      return {
        body: { success: true, challenge_ts: new Date().toISOString(), hostname, 'error-codes': [], action: '' },
      };
    },
  });
  return Object.assign(counterpart, { siteKey, secretKey, solve });
};
