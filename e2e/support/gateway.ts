import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { startFakeUpstream, type FakeUpstream } from '../../server/test/fakes/fake-upstream.ts';
import { signInTo, type ManagementClient } from '../../server/test/clients/management-client.ts';
import { type GatewayHost, startGatewayHost } from '../../server/test/processes/gateway-host.ts';
import { rootPassword, startServer } from '../../server/test/processes/server-process.ts';

/** The built product with a fresh data directory and a strict upstream. */
export interface Gateway {
  readonly url: string;
  readonly upstream: FakeUpstream;
  /** Directory of its database. */
  readonly dataDir: string;
  readonly rootPassword: string;
  /** Signs in over the API, without the browser, to prepare or to check. */
  signIn(username?: string, password?: string): Promise<ManagementClient>;
}

type Environment = Readonly<Record<string, string>>;

/** Starts a process for the gateway, with an environment of its own. */
const startAlone =
  (env: Environment): GatewayHost['start'] =>
  async (dataDir) => {
    const { url, stop } = await startServer({ dataDir, env });
    return { url, stop: () => stop('SIGTERM') };
  };

const open = async (
  startGateway: GatewayHost['start'],
): Promise<{ readonly gateway: Gateway; readonly close: () => Promise<void> }> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-e2e-'));
  const upstream = await startFakeUpstream();
  const { url, stop } = await startGateway(dataDir);
  const gateway: Gateway = {
    url,
    upstream,
    dataDir,
    rootPassword,
    signIn: (username = 'root', password = rootPassword) => signInTo(url, username, password),
  };
  const close = async () => {
    await stop();
    await upstream.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { gateway, close };
};

/** Each test gets its own gateway, which is the base URL of `page.goto('/…')`. */
export const test = base.extend<{ gateway: Gateway; serverEnv: Environment }, { gatewayHost: GatewayHost }>({
  /** Additional environment variables of the server; a test that needs some extends this. */
  serverEnv: {},
  gatewayHost: [
    async ({}, use) => {
      const host = startGatewayHost();
      await use(host);
      await host.close();
    },
    { scope: 'worker' },
  ],
  gateway: async ({ serverEnv, gatewayHost }, use) => {
    const { gateway, close } = await open(
      Object.keys(serverEnv).length === 0 ? gatewayHost.start : startAlone(serverEnv),
    );
    await use(gateway);
    await close();
  },
  baseURL: async ({ gateway }, use) => {
    await use(gateway.url);
  },
});

export { expect } from '@playwright/test';
