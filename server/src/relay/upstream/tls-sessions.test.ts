import { expect, test } from 'vitest';
import { createTlsSessions } from './tls-sessions.ts';

test('S7 TLS sessions are kept for a bounded number of servers, those used last', () => {
  const sessions = createTlsSessions(3);
  const session = Buffer.from('session');
  for (const server of ['a:443', 'b:443', 'c:443']) sessions.keep(server, session);
  expect(sessions.get('a:443')).toBe(session);
  sessions.keep('d:443', session);
  sessions.keep('d:443', session);
  expect(['a:443', 'b:443', 'c:443', 'd:443'].filter((server) => sessions.get(server) !== undefined)).toEqual([
    'a:443',
    'c:443',
    'd:443',
  ]);
});
