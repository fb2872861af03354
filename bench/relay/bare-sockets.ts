import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../server/test/processes/server-process.ts';
import { type Contestant, upstreamKey } from '../contestant.ts';

/** What the sockets of Node cost where nothing is read: all above it is the gateway's own. */
export const startBareSockets = async (upstreamPort: number): Promise<Contestant> => {
  const port = await freePort();
  const program = join(import.meta.dirname, 'bare-sockets-process.ts');
  const args = ['-c', '0', process.execPath, program, String(port), String(upstreamPort)];
  const child = spawn('taskset', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    url: `http://127.0.0.1:${port}`,
    // `taskset` becomes the program that it starts.
    pids: [child.pid ?? 0],
    key: upstreamKey,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};
