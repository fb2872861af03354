import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import start from '../../start.json' with { type: 'json' };
import { serverEnvironment } from './server-process.ts';

/** What is asked of the process: a gateway on a new directory, or the end of it. */
export type HostRequest = { readonly open: string } | { readonly close: string };

export interface HostAnswer {
  readonly dataDir: string;
  /** Of the opened gateway. */
  readonly url?: string;
  readonly error?: string;
}

export interface GatewayHost {
  /** Starts a gateway in an empty directory, as after its first start; resolves to its URL and to what ends it. */
  start(dataDir: string): Promise<{ readonly url: string; readonly stop: () => Promise<unknown> }>;
  close(): Promise<void>;
}

/**
 * A process that starts gateways, one after the other or side by side, each with the server's own code and files. A
 * process for each would spend most of its life loading the same modules.
 */
export const startGatewayHost = (): GatewayHost => {
  const host = fork(join(import.meta.dirname, 'gateway-host-process.ts'), {
    execArgv: start.flags,
    env: serverEnvironment({ dataDir: tmpdir() }),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(host, 'exit');
  const ask = async (request: HostRequest, dataDir: string): Promise<HostAnswer> => {
    const answered = new Promise<HostAnswer>((resolve) => {
      const read = (answer: HostAnswer): void => {
        if (answer.dataDir !== dataDir) return;
        host.off('message', read);
        resolve(answer);
      };
      host.on('message', read);
    });
    host.send(request);
    const crashed = ended.then(([code]): HostAnswer => ({ dataDir, error: `its process ended with ${code}` }));
    const answer = await Promise.race([answered, crashed]);
    if (answer.error !== undefined) throw new Error(`the gateway failed: ${answer.error}`);
    return answer;
  };
  return {
    start: async (dataDir) => {
      const { url = '' } = await ask({ open: dataDir }, dataDir);
      return { url, stop: () => ask({ close: dataDir }, dataDir) };
    },
    close: async () => {
      host.disconnect();
      await ended;
    },
  };
};
