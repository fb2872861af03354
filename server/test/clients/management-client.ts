/** Calls the management API the way a person's browser session does, and fails loudly. */
export interface ManagementClient {
  call<Data>(method: string, path: string, body?: unknown): Promise<Data>;
}

interface Answer<Data> {
  readonly success: boolean;
  readonly message: string;
  readonly data: Data;
}

/** Signs in and keeps the session cookie. Every refused call throws with the server's message. */
export const signInTo = async (url: string, username: string, password: string): Promise<ManagementClient> => {
  let cookie = '';
  const call = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        origin: url,
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = response.headers.getSetCookie()[0];
    if (set !== undefined) cookie = set.split(';', 1)[0] ?? '';
    // The one boundary here: callers name the shape they expect, and tests fail on the value itself.
    // oxlint-disable-next-line typescript/consistent-type-assertions
    const answer = (await response.json()) as Answer<Data>;
    if (!answer.success) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
    return answer.data;
  };
  await call('POST', '/api/user/login', { username, password });
  return { call };
};
