import { checkAnswer } from '../contract/check-answer.ts';
import { parseObject } from '../parsing/json.ts';

/**
 * Calls the management API. A refused call throws with its status and the server's message, and so does an answer that is
 * not what the contract declares for its method and path.
 */
export interface ManagementClient {
  call<Data>(method: string, path: string, body?: unknown): Promise<Data>;
}

/** A client without a session; it keeps the session cookie of a call that signs in. */
export const openClient = (url: string, headers: Readonly<Record<string, string>> = {}): ManagementClient => {
  let cookie = '';
  const call = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        origin: url,
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = response.headers.getSetCookie()[0];
    if (set !== undefined) cookie = set.split(';', 1)[0] ?? '';
    const { status } = response;
    const text = await response.text();
    checkAnswer(method, path, { status, headers: response.headers, text });
    const { success, message, data } = text === '' ? {} : parseObject(text);
    if (success !== true) throw new Error(`${method} ${path}: ${status} ${String(message)}`);
    // The one boundary here: `data` fits the endpoint's schema, of which callers name the members they read.
    // oxlint-disable-next-line typescript/consistent-type-assertions
    return data as Data;
  };
  return { call };
};

/** Signs in as a browser does. */
export const signInTo = async (url: string, username: string, password: string): Promise<ManagementClient> => {
  const client = openClient(url);
  await client.call('POST', '/api/user/login', { username, password });
  return client;
};
