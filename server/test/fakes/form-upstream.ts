import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type FormPart, formParts } from './form-parts.ts';

/** A form as the test's own parser read it. */
export interface ReadForm {
  readonly path: string;
  /** Of texts; files by their names and sizes. */
  readonly fields: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
}

export interface FormBehaviour {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  /** The body comes in these pieces; `cut`: and then the connection is reset. */
  readonly pieces?: readonly string[];
  readonly cut?: true;
}

/** An upstream that takes forms, strictly. */
export interface FormUpstream {
  readonly url: string;
  readonly key: string;
  /** Those that came whole. */
  forms(): readonly ReadForm[];
  /** Bytes of bodies that came so far, of all requests. */
  received(): number;
  /** Requests that are not at their end. */
  running(): number;
  behave(decide: (form: ReadForm) => FormBehaviour): void;
  /** Answers at once, without reading the body, until it is null again. */
  refuse(status: number | null): void;
  close(): Promise<void>;
}

const textOf = ({ filename, type, content }: FormPart): string =>
  filename === null ? content.toString() : `${filename} ${type} ${content.length}`;

const readForm = (request: IncomingMessage, body: Buffer): ReadForm => {
  const parts = formParts(body, request.headers['content-type'] ?? '');
  const single = parts.map(({ name }) => name).filter((name) => !name.endsWith('[]'));
  if (new Set(single).size !== single.length) throw new Error('a field occurs twice');
  const fields = Object.fromEntries(parts.map((part) => [part.name, textOf(part)]));
  return { path: request.url ?? '', fields, body, headers: request.headers };
};

const answer = async (response: ServerResponse, behaviour: FormBehaviour): Promise<void> => {
  response.writeHead(behaviour.status ?? 200, { 'content-type': behaviour.type ?? 'application/json' });
  for (const piece of behaviour.pieces ?? []) {
    response.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  if (behaviour.cut) response.socket?.resetAndDestroy();
  else response.end(behaviour.body ?? '');
};

export const startFormUpstream = async (): Promise<FormUpstream> => {
  const key = 'sk-form-upstream';
  const forms: ReadForm[] = [];
  let received = 0;
  let running = 0;
  let refusing: number | null = null;
  let decide: (form: ReadForm) => FormBehaviour = () => ({ body: '{"text":"one two three"}' });

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refused = request.headers.authorization === `Bearer ${key}` ? refusing : 401;
    if (refused !== null) {
      const error = { message: 'refused at once', type: 'server_error', code: null };
      response.writeHead(refused, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      request.resume();
      return;
    }
    const pieces: Buffer[] = [];
    const coming: AsyncIterable<Buffer> = request;
    for await (const piece of coming) {
      received += piece.length;
      pieces.push(piece);
    }
    const form = readForm(request, Buffer.concat(pieces));
    forms.push(form);
    await answer(response, decide(form));
  };
  const server = createServer((request, response) => {
    running += 1;
    response.once('close', () => (running -= 1));
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    key,
    forms: () => forms,
    received: () => received,
    running: () => running,
    behave: (next) => (decide = next),
    refuse: (status) => (refusing = status),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
