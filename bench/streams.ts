/**
 * Many concurrent streams through one gateway: its memory, the failures, and whether each stream was charged.
 *
 *   node bench/streams.ts [streams] [--write]
 *
 * Every stream sends an event each second for 20 seconds. Needs Linux, a C compiler and two file descriptors for each
 * stream in the gateway (`ulimit -n`).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { circumstances, keepResult, numberArgument } from './circumstances.ts';
import { booked, model, residentMb, startMock, startWeir } from './contestant.ts';
import { load } from './native/native.ts';

const streams = numberArgument(5000);
const events = 20;

const measure = async () => {
  const before = circumstances();
  const dir = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const mock = await startMock(['-n', String(events), '-i', '1000000']);
  try {
    const weir = await startWeir(mock.port, dir);
    const [pid = 0] = weir.pids;
    const idleMb = residentMb(pid);
    const result = await load(
      // All opened once, over 10 seconds.
      `-c ${streams} -n ${streams} -S -d 120 -w 0 -g 10 -p ${pid} -m ${model} -k ${weir.key} -l streams ${weir.url}/v1/chat/completions`.split(
        ' ',
      ),
    );
    await weir.stop();
    const { ok, non200, errors } = result;
    const peakMb = Math.round(result.sut_hwm_kb / 1024);
    return { ...before, streams, events, ok, non200, errors, idleMb, peakMb, ...(await booked(join(dir, 'data'))) };
  } finally {
    mock.child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
};

const result = await measure();
console.log(JSON.stringify(result, null, 2));
if (process.argv.includes('--write')) keepResult('streams', result);
process.exitCode = result.ok === streams && result.charged === streams && result.findings === 0 ? 0 : 1;
