import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { writeSqliteFile } from '../server/test/other-gateway/gateway-tables.ts';
import { trappedTables } from '../server/test/other-gateway/one-api-data.ts';
import { circumstances, keepResult, numberArgument } from './circumstances.ts';

/** `node bench/import.ts [rows]`: imports a log of a million rows into SQLite, as a process of its own, proof included. */
const rows = numberArgument(1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'));
const source = join(folder, 'one-api.db');
const script = join(import.meta.dirname, '..', 'server', 'src', 'import.ts');

writeSqliteFile(source, trappedTables({ logs: [] }));
const database = new DatabaseSync(source);
database.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})
  insert into logs (id, user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens,
    completion_tokens, channel_id, request_id, elapsed_time, is_stream, system_prompt_reset)
  select i, 2 + i % 8, 1750000000 + i * 25, iif(i % 50 = 0, 3, 2), 'model ratio 1.00, group ratio 0.75', 'user' || (i % 8),
    'token ' || (i % 40), 'model-' || (i % 25), i % 1000, i % 700, i % 300, 1 + i % 5, '20261125174247888478501' || i,
    i % 5000, i % 2, 0 from n`);
database.close();

try {
  const began = performance.now();
  const child = spawn(process.execPath, [script, '--from', source], {
    env: { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'close');
  const seconds = (performance.now() - began) / 1000;
  keepResult('import', {
    what: 'Import of a log from a SQLite file into SQLite, with accounts, hourly and daily sums and the proof; nearly every row is an hourly sum of its own',
    ...circumstances(),
    rows,
    exitCode: child.exitCode,
    seconds: Math.round(seconds),
    loadAverageAfter: Number((loadavg()[0] ?? 0).toFixed(1)),
  });
} finally {
  rmSync(folder, { recursive: true });
}
