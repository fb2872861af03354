/**
 * Loaded into the gateway in front of its own code (`--import`): records a profile of the main thread from one SIGUSR2 to
 * the next, in the form of a browser's developer tools, in the file that `BENCH_PROFILE` names.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { isMainThread } from 'node:worker_threads';

const intervalUs = 250;

const record = async (file: string): Promise<void> => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: intervalUs });
  let records = false;
  process.on('SIGUSR2', () => {
    records = !records;
    if (records) void session.post('Profiler.start');
    else void session.post('Profiler.stop').then(({ profile }) => writeFileSync(file, JSON.stringify(profile)));
  });
};

const { BENCH_PROFILE: file } = process.env;
if (isMainThread && file !== undefined) await record(file);
