import { execFileSync } from 'node:child_process';
import { childPids, type Contestant } from '../contestant.ts';

/** A gateway that runs already, with one channel to the upstream of the benchmark. */
export interface Peer extends Contestant {
  readonly name: string;
  /** A key whose balance is for 100 calls; undefined: exactness is not measured. */
  readonly limitedKey: string | undefined;
}

const withDescendants = (pid: number): number[] => [pid, ...childPids(pid).flatMap(withDescendants)];

/** Reads `name=url,pid[+pid…],key[,limited key]`: one process of each tree that belongs to it, its database among them. */
export const readPeer = (text: string): Peer => {
  const [, name, rest = ''] = /^([\w .-]+)=(.*)$/.exec(text) ?? [];
  const [url, processes, key, limitedKey] = rest.split(',');
  const roots = (processes ?? '').split('+').map(Number);
  if (name === undefined || url === undefined || key === undefined || roots.some((pid) => !(pid > 0)))
    throw new Error(`--peer ${text}: expected name=url,pid[+pid…],key[,limited key]`);
  return {
    name,
    url: url.replace(/\/$/, ''),
    // It may start processes later.
    get pids() {
      return roots.flatMap(withDescendants);
    },
    key,
    limitedKey,
    stop: async () => undefined,
  };
};

/** Keeps the processes of a peer, with all their threads, on the core of the process under test. */
export const pin = ({ pids }: Peer): void => {
  for (const pid of pids) execFileSync('taskset', ['-a', '-cp', '0', String(pid)], { stdio: 'ignore' });
};
