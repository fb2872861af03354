import { afterAll, beforeAll, expect, test } from 'vitest';
import { role } from '@weir/contract/roles';
import { addToken, setUser, type Caller as Payer } from '../../../test/database/accounts.ts';
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { addNote, addUse } from '../../../test/database/logs.ts';
import { recordQueries } from '../../../test/database/query-plans.ts';
import { everything } from '../../store/logs/log-filter.ts';
import { jsonl, logFile } from './log-export.ts';

let app: TestApp;
let admin: TestUser;
let alice: TestUser;
let byAlice: Payer;

const at = 1_700_000_000;
const many = 1234;

beforeAll(async () => {
  app = await buildTestApp();
  admin = await app.addUser('admin', role.admin);
  alice = await app.addUser('alice');
  await setUser(app.db, alice.id, { available: 100_000 });
  const tokenId = await addToken(app.db, alice.id, { unlimited_quota: 1 });
  byAlice = { userId: alice.id, tokenId, channelId: 1, tokenLimited: false };
  const use = { username: 'alice', model_name: 'gpt-4o', prompt_tokens: 3, completion_tokens: 4, channel_id: 8 };
  await addUse(app.db, byAlice, {
    ...use,
    created_at: at,
    quota: 5,
    cost: 7_500,
    run_id: 12,
    run_step: 'plan/search',
    token_name: '=cmd|calc',
    content: 'a,"b"\n水',
  });
  await Promise.all(
    Array.from({ length: many }, (_, index) =>
      addUse(app.db, byAlice, { ...use, created_at: at + 100 + index, quota: 1, token_name: 'bulk' }),
    ),
  );
  await addNote(app.db, { created_at: at + 1, type: 5, channel_id: 8, content: '+1 -2 @x' });
});
afterAll(() => app.close());

test('LOG-07 C79 the filtered rows as CSV, with named units, time zone and the run of each call: UTF-8 with its mark, quoted, and no formula for a spreadsheet', async () => {
  const { headers, text, status } = await admin.call('GET', `/api/log/export?end_timestamp=${at + 50}`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename="logs.csv"');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  // `text()` removes the byte order mark.
  const [head, tested, ...rest] = text.replace(/^\uFEFF/, '').split('\r\n');
  expect(head).toBe(
    'time_utc,cost_usd,created_at,channel,channel_name,username,type,token_name,model_name,prompt_tokens,completion_tokens,quota,elapsed_time,is_stream,content,request_id,id,vendor_cost_usd,run,run_step',
  );
  expect(tested).toMatch(/^2023-11-14T22:13:21\.000Z,0\.000000,1700000001,8,,,5,,,0,0,0,0,false,'\+1 -2 @x,,\d+,,,$/);
  expect(rest.join('\n')).toMatch(
    /^2023-11-14T22:13:20\.000Z,0\.000010,1700000000,8,,alice,2,'=cmd\|calc,gpt-4o,3,4,5,0,false,"a,""b""\n水",request\d+,\d+,0\.0000075,12,plan\/search\n$/,
  );
  const raw = await fetch(`${app.url}/api/log/export`, { headers: { cookie: admin.cookie } });
  expect([...new Uint8Array(await raw.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
});

test('LOG-07 every row that fits comes once, newest first, in either form', async () => {
  const csv = await admin.call('GET', '/api/log/export?token_name=bulk&username=alice');
  expect(csv.text.split('\r\n')).toHaveLength(many + 2);
  const lines = await admin.call('GET', '/api/log/export?token_name=bulk&format=jsonl');
  expect(lines.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
  const times = lines.text
    .trimEnd()
    .split('\n')
    .map((line) => Number(/"created_at":(\d+)/.exec(line)?.[1]));
  expect(times).toEqual(Array.from({ length: many }, (_, index) => at + 100 + many - 1 - index));
  const none = await admin.call('GET', '/api/log/export?username=unknown&format=jsonl');
  expect([none.status, none.text]).toEqual([200, '']);
});

test('LOG-07 LOG-04 a user exports the own rows, without the channel', async () => {
  const { text } = await alice.call('GET', '/api/log/self/export?token_name=%3Dcmd%7Ccalc');
  expect(text.split('\r\n')[0]).not.toMatch(/channel|username|vendor_cost/);
  const lines = await alice.call('GET', '/api/log/self/export?format=jsonl&channel=8');
  expect(lines.text.split('\n')).toHaveLength(many + 2);
  expect(lines.text).not.toMatch(/"channel":8|"cost"/);
  expect(await alice.refused('GET', '/api/log/export')).toBe('Not permitted: insufficient permission');
  expect((await app.visitor().call('GET', '/api/log/self/export')).status).toBe(401);
});

/** Other queries of the same database: whatever would be read ahead is read in the time that these take. */
const readMeanwhile = async () => {
  for (let count = 0; count < 50; count += 1) await app.db.read.selectFrom('logs').select('id').limit(1).execute();
};

test('LOG-07 rows are read from the database only as the client takes them, and no more after it disconnects', async () => {
  const recorded = recordQueries(app.db);
  const file = logFile({ db: recorded.db, filter: everything, format: jsonl, own: true });
  const chunks = file[Symbol.asyncIterator]();
  expect(await chunks.next()).toMatchObject({ done: false });
  await readMeanwhile();
  // The piece that was taken, and one more that waits.
  expect(recorded.take().length).toBeLessThanOrEqual(2);
  await chunks.return?.();
  await readMeanwhile();
  recorded.take();
  await readMeanwhile();
  expect(recorded.take()).toEqual([]);
});
