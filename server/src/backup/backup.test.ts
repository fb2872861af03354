import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { addCaller, addToken, holdFor, settleFor } from '../../test/database/accounts.ts';
import { createTestStorage, testDatabaseKind, type TestStorage } from '../../test/database/database.ts';
import { hasStatistics } from '../../test/database/query-plans.ts';
import { killedAt } from '../../test/processes/kill-at-output.ts';
import { fillPlace, openCopySource } from '../store/copies/copy-place.ts';
import { type CopySource, summarize } from '../store/copies/copy-source.ts';
import { checkBackup } from './check-backup.ts';
import { createSecrets } from '../store/credentials/secrets.ts';
import type { Database } from '../store/database.ts';
import { emptyLog } from '../store/logs/log-columns.ts';
import { openDatabase } from '../store/open-database.ts';
import { tokenKeyColumns } from '../store/tokens.ts';

const key = randomBytes(32);
const secretKey = key.toString('hex');
const secrets = createSecrets(key);
const places: TestStorage[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-test-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const place of places.splice(0)) await place.remove();
});

const storage = async (kind?: 'sqlite' | 'postgres', template?: Omit<TestStorage, 'remove'>) => {
  const place = await createTestStorage({ ...(kind && { kind }), ...(template && { template }) });
  places.push(place);
  return place;
};
const environment = ({ dataDir, databaseUrl }: Omit<TestStorage, 'remove'>) => ({
  DATA_DIR: dataDir,
  SECRET_KEY: secretKey,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
});
const nameOf = ({ dataDir, databaseUrl }: Omit<TestStorage, 'remove'>) => databaseUrl ?? dataDir;

interface Run {
  readonly env?: Readonly<Record<string, string>>;
  /** Killed once it has written this. */
  readonly killAt?: string;
}

const run = async (command: string, args: readonly string[], { env = {}, killAt }: Run = {}) => {
  const script = join(import.meta.dirname, '..', `${command}.ts`);
  const child = spawn(process.execPath, [script, ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...(killAt !== undefined && killedAt(killAt)),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (output += String(chunk)));
  }
  await once(child, 'close');
  return { code: child.exitCode, output };
};

const open = (place: Omit<TestStorage, 'remove'>) =>
  openDatabase({ dataDir: place.dataDir, databaseUrl: place.databaseUrl, secretFingerprint: secrets.fingerprint });

/** A database with charges, an open hold and a sealed key, whose last token is gone; it is open. */
const openFilled = async (place: Omit<TestStorage, 'remove'>) => {
  const db = await open(place);
  const caller = await addCaller(db, 1_000_000);
  await addToken(db, caller.userId, tokenKeyColumns(secrets, 'k'.repeat(48)));
  for (let call = 0; call < 30; call += 1) {
    await db.post(holdFor(caller, `call${call}`, 100));
    await db.post(settleFor(caller, `call${call}`, 90));
  }
  await db.post(holdFor(caller, 'open', 500));
  const last = await addToken(db, caller.userId);
  await db.write.deleteFrom('tokens').where('id', '=', last).execute();
  return { db, caller, last };
};

const backUp = async (place: Omit<TestStorage, 'remove'>, ...args: string[]) => {
  const { code, output } = await run('backup', [folder, ...args], { env: environment(place) });
  expect(output).toContain('read back');
  expect(code).toBe(0);
  const [name = ''] = readdirSync(folder);
  return join(folder, name);
};

test('O7 a backup of a gateway that writes is whole, private, and comes back on both databases', async () => {
  const place = await storage(undefined, inject('migrated'));
  const { db, caller, last } = await openFilled(place);
  let isWriting = true;
  const writing = (async () => {
    for (let call = 0; isWriting; call += 1) await db.post(holdFor(caller, `later${call}`, 1));
  })();
  const backup = await backUp(place, '--with-key');
  isWriting = false;
  await writing;
  await db.close();
  expect(statSync(backup).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(backup)) expect(statSync(join(backup, name)).mode & 0o777).toBe(0o600);

  const kinds = testDatabaseKind === 'sqlite' ? (['sqlite'] as const) : (['postgres', 'sqlite'] as const);
  for (const kind of kinds) {
    const target = await storage(kind);
    const env = kind === 'postgres' ? { SECRET_KEY: secretKey } : {};
    const { code, output } = await run('restore', [backup, '--to', nameOf(target)], { env });
    expect(output).toContain('The ledger matches the balances');
    expect(output).toContain('opens a sealed key of tokens');
    expect(code).toBe(0);
    if (kind === 'sqlite') expect(readFileSync(join(target.dataDir, 'secret.key'), 'utf8').trim()).toBe(secretKey);
    const again = await run('restore', [backup, '--to', nameOf(target)], { env });
    expect(again.output).toMatch(/not empty/);
    expect(again.code).toBe(1);
    const restored = await open(target);
    expect(await hasStatistics(restored, 'ledger')).toBe(true);
    // Ids go on where they ended, that of a row that is gone among them.
    expect(await addToken(restored, caller.userId)).toBe(last + 1);
    await restored.close();
  }
});

test('O1 verify restores a backup for its check, and refuses a damaged, cut, keyless or foreign-keyed one', async () => {
  const place = await storage(undefined, inject('migrated'));
  await (await openFilled(place)).db.close();
  const backup = await backUp(place, '--with-key');
  const good = await run('verify', [backup]);
  expect(good.output).toMatch(/opens a sealed key of tokens[^]*matches the balances: 31 entries, 1 open/);
  expect(good.code).toBe(0);
  const damages: readonly (readonly [pattern: RegExp, damage: (copy: string) => void])[] = [
    [/ledger is damaged/, (copy) => truncateSync(join(copy, 'ledger.jsonl.gz'), 100)],
    [/users is damaged/, (copy) => writeFileSync(join(copy, 'users.jsonl.gz'), randomBytes(3000))],
    [/no file of logs/, (copy) => rmSync(join(copy, 'logs.jsonl.gz'))],
    [/ledger is damaged/, (copy) => cpSync(join(copy, 'logs.jsonl.gz'), join(copy, 'ledger.jsonl.gz'))],
    [/key is missing/, (copy) => rmSync(join(copy, 'secret.key'))],
    [/key is another/, (copy) => writeFileSync(join(copy, 'secret.key'), 'ab'.repeat(32))],
    [
      /checksum does not match/,
      (copy) => {
        const path = join(copy, 'manifest.json');
        writeFileSync(path, readFileSync(path, 'utf8').replace(/"rows": 31/, '"rows": 30'));
      },
    ],
    [/no manifest/, (copy) => writeFileSync(join(copy, 'manifest.json'), '[1]')],
  ];
  for (const [pattern, damage] of damages) {
    const copy = join(folder, 'copy');
    rmSync(copy, { recursive: true, force: true });
    cpSync(backup, copy, { recursive: true });
    damage(copy);
    await expect(checkBackup(copy, undefined)).rejects.toThrow(pattern);
  }
  const cut = await run('verify', [join(folder, 'copy')]);
  expect(cut.output).toMatch(/^Not usable: .*no manifest[^\n]*\n$/);
  expect(cut.code).toBe(1);
  // A backup without its key is good with the key at hand.
  rmSync(join(folder, 'copy', 'secret.key'));
  cpSync(join(backup, 'manifest.json'), join(folder, 'copy', 'manifest.json'));
  expect((await checkBackup(join(folder, 'copy'), key)).findings).toEqual([]);
});

test('a restore killed while it writes leaves nothing that starts, and goes on when it is run again', async () => {
  const place = await storage(undefined, inject('migrated'));
  await (await openFilled(place)).db.close();
  const backup = await backUp(place, '--without-key');
  expect(existsSync(join(backup, 'secret.key'))).toBe(false);
  const target = await storage();
  const env = { SECRET_KEY: secretKey };
  for (const killAt of ['users: ', 'vendor_bills: ']) {
    expect(await run('restore', [backup, '--to', nameOf(target)], { env, killAt })).toMatchObject({ code: null });
    await expect(open(target)).rejects.toThrow('was begun and not finished');
  }
  const last = await run('restore', [backup, '--to', nameOf(target)], { env });
  expect(last).toMatchObject({ code: 0 });
  expect(last.output).toMatch(/ledger: \d+ rows, of which an earlier run wrote/);
  await (await open(target)).close();
});

const countLogs = async (db: Database): Promise<number> =>
  (await db.read.selectFrom('logs').select('id').execute()).length;
const quiet = { say: () => undefined, beforeEnd: () => undefined };

test('a copy cut off within a table goes on after its last row; one of other content is made anew', async () => {
  const place = await storage(undefined, inject('migrated'));
  const { db, caller } = await openFilled(place);
  const records = Array.from({ length: 500 }, () => ({
    ...emptyLog,
    type: 3,
    user_id: caller.userId,
    request_id: 'r',
  }));
  for (let count = await countLogs(db); count < 4500; count += 500)
    await db.write.insertInto('logs').values(records).execute();
  await db.close();
  const target = await storage();
  const source = await openCopySource(place);
  const cutOff: CopySource = {
    ...source,
    async *rows(table) {
      for await (const rows of source.rows(table)) {
        if (table.name === 'logs' && rows.length < 2000) throw new Error('cut off');
        yield rows;
      }
    },
  };
  await expect(fillPlace(target, cutOff, quiet)).rejects.toThrow('cut off');
  const lines: string[] = [];
  const { length } = await fillPlace(target, source, { ...quiet, say: (line) => lines.push(line) });
  expect(length).toBe(source.tables.length);
  expect(lines).toContainEqual(expect.stringMatching(/^logs: 45\d\d rows, of which an earlier run wrote 4000$/));
  expect(await readAll(target)).toEqual(await readAll(place));
  await source.close();

  const other = await storage();
  const before = await openCopySource(place);
  const stopped: CopySource = {
    ...before,
    rows: (table) => {
      if (table.name === 'tokens') throw new Error('cut off');
      return before.rows(table);
    },
  };
  await expect(fillPlace(other, stopped, quiet)).rejects.toThrow('cut off');
  await before.close();
  const changed = await open(place);
  await changed.post(holdFor(caller, 'later', 100));
  await changed.close();
  const now = await openCopySource(place);
  await fillPlace(other, now, quiet);
  await now.close();
  expect(await readAll(other)).toEqual(await readAll(place));
  await (await open(other)).close();
});

test('restore, move and backup refuse a running place, and bad arguments, with one line', async () => {
  const place = await storage(undefined, inject('migrated'));
  const { db } = await openFilled(place);
  const backup = await backUp(place, '--with-key');
  const env = environment(place);
  const other = await storage();
  const lines = [
    await run('restore', [backup, '--to', nameOf(place)], { env }),
    await run('move', ['--from', nameOf(place), '--to', nameOf(other)], { env }),
    await run('backup', [folder], { env }),
    await run('backup', [folder, '--with-key', '--key'], { env }),
    await run('backup', [folder, '--with-key'], { env: { DATA_DIR: join(folder, 'none') } }),
    await run('restore', [join(folder, 'none')], { env }),
    await run('move', ['--from', 'mysql://a/b', '--to', nameOf(other)], { env }),
  ];
  await db.close();
  for (const { code, output } of lines) {
    expect(output).toMatch(/^[^\n]+\n(?:[^\n]+\n){0,2}$/);
    expect(output).not.toMatch(/^\s+at /m);
    expect(code).toBe(1);
  }
  expect(lines[0]?.output).toMatch(/Another process is using|A gateway[^\n]* is (?:running|using)/);
  expect(lines[1]?.output).toMatch(/Another process is using|A gateway[^\n]* is (?:running|using)/);
  for (const command of ['backup', 'restore', 'move'])
    expect((await run(command, ['--help'])).output).toContain(`npm run ${command}`);
});

/** A file with a row in every table that the migrations make, whatever tables these are. */
const fillEveryTable = (dataDir: string): readonly string[] => {
  const database = new DatabaseSync(join(dataDir, 'weir.db'), { enableForeignKeyConstraints: false });
  const valueOf = (type: unknown) =>
    type === 'TEXT' || type === 'text' ? 'Ünïcode \n "x"' : type === 'real' ? 1.5 : 7;
  const names = database
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like 'migrations%'",
    )
    .all()
    .map(({ name }) => String(name));
  for (const name of names) {
    const columns = database.prepare('select name, type from pragma_table_info(?)').all(name);
    const list = columns.map((column) => `"${String(column['name'])}"`).join(', ');
    const values = columns.map((column) => valueOf(column['type']));
    database.prepare(`insert into "${name}" (${list}) values (${values.map(() => '?').join(', ')})`).run(...values);
  }
  database.close();
  return names;
};

const readAll = async (place: Omit<TestStorage, 'remove'>) => {
  const source = await openCopySource(place);
  const tables = new Map<string, { readonly rows: number; readonly sha256: string }>();
  for (const table of source.tables) tables.set(table.name, await summarize(source, table));
  await source.close();
  return tables;
};

test('a move takes every row of every table there is to another place, on both databases', async () => {
  const first = await storage('sqlite');
  await (await openDatabase({ dataDir: first.dataDir })).close();
  const names = fillEveryTable(first.dataDir);
  const before = await readAll(first);
  expect(Array.from(before.keys()).toSorted()).toEqual(names.toSorted());
  for (const { rows } of before.values()) expect(rows).toBeGreaterThan(0);
  const [second, third] = [await storage(), await storage('sqlite')];
  for (const [from, to] of [
    [first, second],
    [second, third],
  ] as const) {
    const { output } = await run('move', ['--from', nameOf(from), '--to', nameOf(to)], {
      env: { SECRET_KEY: secretKey },
    });
    expect(output).toContain(`${names.length} tables with`);
    expect(await readAll(to)).toEqual(before);
  }
});
