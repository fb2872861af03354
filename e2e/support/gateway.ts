import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { startFakeUpstream, type FakeUpstream } from '../../server/test/fakes/fake-upstream.ts';
import { signInTo, type ManagementClient } from '../../server/test/clients/management-client.ts';
import { rootPassword, startServer, type ServerProcess } from '../../server/test/processes/server-process.ts';

/** The built product with a fresh data directory, a real server process and a strict upstream. */
export interface Gateway {
  readonly url: string;
  readonly upstream: FakeUpstream;
  readonly server: ServerProcess;
  /** Directory of its database. */
  readonly dataDir: string;
  readonly rootPassword: string;
  /** Signs in over the API, without the browser, to prepare or to check. */
  signIn(username?: string, password?: string): Promise<ManagementClient>;
}

type Environment = Readonly<Record<string, string>>;

const open = async (env: Environment): Promise<{ readonly gateway: Gateway; readonly close: () => Promise<void> }> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-e2e-'));
  const upstream = await startFakeUpstream();
  const server = await startServer({ dataDir, env });
  const gateway: Gateway = {
    url: server.url,
    upstream,
    server,
    dataDir,
    rootPassword,
    signIn: (username = 'root', password = rootPassword) => signInTo(server.url, username, password),
  };
  const close = async () => {
    await server.stop('SIGTERM');
    await upstream.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { gateway, close };
};

/** Each test gets its own gateway, which is the base URL of `page.goto('/…')`. */
export const test = base.extend<{ gateway: Gateway; serverEnv: Environment }>({
  /** Additional environment variables of the server; a test that needs some extends this. */
  serverEnv: {},
  gateway: async ({ serverEnv }, use) => {
    const { gateway, close } = await open(serverEnv);
    await use(gateway);
    await close();
  },
  baseURL: async ({ gateway }, use) => {
    await use(gateway.url);
  },
});

export { expect } from '@playwright/test';
