import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ensureServer, serverEntry } from '../../../scripts/steps/server-build.mjs';
import start from '../../start.json' with { type: 'json' };

/** A running server of its own process, as an operator would start it. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Its output so far, stdout and stderr. */
  output(): string;
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<unknown>;
  /** Sends a signal and waits for the end; resolves to the exit code, or null when the signal ended it. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ServerProcessOptions {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Put before the command, as `taskset -c 0`. */
  readonly prefix?: readonly string[];
  readonly startTimeoutMs?: number;
  /** Runs the sources instead of what is built from them: for hooks that change a module as it is loaded. */
  readonly isFromSource?: boolean;
}

/** The password and relay key that `startServer` gives to root, so that tests can sign in and call at once. */
export const rootPassword = 'correct horse battery staple';

/** A port that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  probe.close();
  await once(probe, 'close');
  return address.port;
};

const sourceEntry = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
let built: Promise<void> | undefined;

/** The program that `npm start` runs, built from the current sources. */
const entryOf = async ({ isFromSource }: Pick<ServerProcessOptions, 'isFromSource'>): Promise<string> => {
  if (isFromSource === true) return sourceEntry;
  await (built ??= ensureServer());
  return serverEntry;
};

/** Stripping the types of every source anew is more than a third of a start. */
const compileCache = join(import.meta.dirname, '..', '..', '..', '.cache', 'node');

/** Resolves to the server's address once it answers: the server prints the port that it got. */
const untilReady = async (child: ChildProcess, output: () => string, timeoutMs: number): Promise<string> => {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${output()}`);
    const port = /is ready on http:\/\/localhost:(\d+)/.exec(output())?.[1];
    const url = `http://127.0.0.1:${port}`;
    const answered =
      port !== undefined &&
      (await fetch(`${url}/api/status`).then(
        (response) => response.ok,
        () => false,
      ));
    if (answered) return url;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`the server did not answer within ${timeoutMs} ms: ${output()}`);
};

/** A start takes long on a busy machine. */
const startWithinMs = 120_000;

/** Starts a server that must fail to start; resolves to its end. If it does start, or says `killAt`, it is killed: code null. */
export const failToStart = async (
  env: Readonly<Record<string, string | undefined>>,
  {
    uid,
    timeoutMs = startWithinMs,
    killAt = 'is ready on',
    isFromSource = false,
  }: Pick<ServerProcessOptions, 'isFromSource'> & {
    readonly uid?: number;
    readonly timeoutMs?: number;
    readonly killAt?: string;
  } = {},
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const child = spawn(process.execPath, [await entryOf({ isFromSource })], {
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: '0',
      NODE_COMPILE_CACHE: compileCache,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
    if (output.includes('is ready on') || output.includes(killAt)) child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
};

/** The environment of a test's server: any free port, no wait at the end. */
export const serverEnvironment = ({
  dataDir,
  env,
}: Pick<ServerProcessOptions, 'dataDir' | 'env'>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...start.env,
  PORT: '0',
  HOST: '127.0.0.1',
  DATA_DIR: dataDir,
  INITIAL_ROOT_PASSWORD: rootPassword,
  LOG_LEVEL: 'warn',
  DRAIN_SECONDS: '0',
  NODE_COMPILE_CACHE: compileCache,
  ...env,
});

/** Starts the server with its real entry file and waits until it answers. */
export const startServer = async (options: ServerProcessOptions): Promise<ServerProcess> => {
  const command = [...(options.prefix ?? []), process.execPath, ...start.flags, await entryOf(options)];
  const env = serverEnvironment(options);
  // As operators start it: they have no compile cache, which would flatter the time of a start.
  if (options.isFromSource !== true) delete env['NODE_COMPILE_CACHE'];
  const child = spawn(command[0] ?? process.execPath, command.slice(1), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += String(chunk)));
  child.stderr.on('data', (chunk) => (printed += String(chunk)));
  // Not `exit`: what it printed last would be missing.
  const ended = once(child, 'close');
  let url: string;
  try {
    url = await untilReady(child, () => printed, options.startTimeoutMs ?? startWithinMs);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    url,
    pid: child.pid ?? 0,
    output: () => printed,
    ended,
    stop: async (signal) => {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
};
