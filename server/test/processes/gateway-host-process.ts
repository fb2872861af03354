import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { HostAnswer, HostRequest } from './gateway-host.ts';
import { serverEnvironment } from './server-process.ts';
import { readConfig } from '../../src/config.ts';
import { serve, type Serving } from '../../src/serve.ts';

const open = (dataDir: string): Promise<Serving> => {
  const config = readConfig(serverEnvironment({ dataDir }));
  return serve(config, pino({ level: 'error' }, pino.destination(2)));
};

/** The directory after a first start, which every test copies. */
const prepare = async (): Promise<string> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-e2e-first-'));
  const first = await open(dataDir);
  await first.stop(0);
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
};

const prepared = prepare();
const gateways = new Map<string, Serving>();

const answer = async (request: HostRequest): Promise<HostAnswer> => {
  if ('open' in request) {
    const dataDir = request.open;
    cpSync(await prepared, dataDir, { recursive: true });
    const gateway = await open(dataDir);
    gateways.set(dataDir, gateway);
    return { dataDir, url: `http://127.0.0.1:${gateway.port}` };
  }
  const dataDir = request.close;
  await gateways.get(dataDir)?.stop(0);
  gateways.delete(dataDir);
  return { dataDir };
};

process.on('message', (request: HostRequest) => {
  answer(request).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ dataDir: Object.values(request)[0], error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
