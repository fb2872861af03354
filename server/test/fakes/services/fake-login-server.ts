import { type Counterpart, demand, startCounterpart } from './counterpart.ts';

/** The chat app's login server, strictly: it knows which person was sent which code, and takes each code once. */
export interface LoginServer extends Counterpart {
  readonly token: string;
  /** A code as the chat app sends it to a person. */
  codeFor(personId: string): string;
}

const token = 'login-server-token-canary';

export const startLoginServer = async (): Promise<LoginServer> => {
  const codes = new Map<string, string>();
  let next = 100_000;
  const counterpart = await startCounterpart({
    'GET /api/wechat/user': ({ headers, query }) => {
      demand([...query.keys()].join() === 'code', `query ${query.toString()}`);
      if (headers.authorization !== token) return { body: { success: false, message: 'Wrong token', data: '' } };
      const code = query.get('code') ?? '';
      const id = codes.get(code);
      codes.delete(code);
      return { body: { success: true, message: '', data: id ?? '' } };
    },
    // The image that the console shows as the QR code; any image works.
    'GET /qr.svg': () => ({
      headers: { 'content-type': 'image/svg+xml' },
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200" fill="#999"/></svg>',
    }),
  });
  const codeFor = (personId: string): string => {
    const code = String((next += 1));
    codes.set(code, personId);
    return code;
  };
  return Object.assign(counterpart, { token, codeFor });
};
