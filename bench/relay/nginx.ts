import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/test/processes/server-process.ts';
import { childPids, type Contestant, upstreamKey } from '../contestant.ts';

/** The reference: a plain proxy with kept connections, on the core of the process under test. */
export const startNginx = async (upstreamPort: number, dir: string): Promise<Contestant> => {
  const port = await freePort();
  const config = join(dir, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${dir}/nginx.pid; error_log ${dir}/error.log;
events { worker_connections 4096; }
http { access_log off; client_body_temp_path ${dir}; proxy_temp_path ${dir}; client_body_buffer_size 128k;
  upstream mock { server 127.0.0.1:${upstreamPort}; keepalive 256; keepalive_requests 1000000; }
  keepalive_requests 1000000;
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://mock; proxy_http_version 1.1; proxy_buffering off;
    proxy_set_header Connection ""; proxy_set_header Authorization "Bearer ${upstreamKey}"; } } }`,
  );
  const child = spawn('taskset', ['-c', '0', 'nginx', '-p', dir, '-c', config], { stdio: 'ignore' });
  await sleep(300);
  return {
    url: `http://127.0.0.1:${port}`,
    pids: [child.pid ?? 0, ...childPids(child.pid ?? 0)],
    key: 'unused',
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};
