import { readdirSync, readFileSync } from 'node:fs';
import { servedModel } from '../../server/test/processes/prepare-server.ts';
import { median } from '../median.ts';
import { load } from '../native/native.ts';

const ticksPerSecond = 100;

/** Seconds of processor time that all processes of PostgreSQL on this machine have used. Needs Linux. */
const postgresSeconds = (): number => {
  const ticks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        // proc(5): the name in brackets, then the state; times of user and system are the 12th and 13th after it.
        const [, name, rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        const fields = rest.split(' ');
        return name === 'postgres' ? Number(fields[11]) + Number(fields[12]) : 0;
      } catch {
        return 0;
      }
    });
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
};

export interface LoadedGateway {
  readonly url: string;
  /** Of a key that can pay all calls. */
  readonly key: string;
  /** All of its processes. */
  readonly pids: readonly number[];
}

interface TurnOptions {
  /** Calls at once, of each gateway. */
  readonly connections: number;
  readonly seconds: number;
}

const warmUpSeconds = 0.5;

export const sumOf = <Each>(all: readonly Each[], of: (each: Each) => number): number =>
  all.reduce((total, each) => total + of(each), 0);

/** Loads gateways at once with calls of 1 KB. Calls of the warm-up count in what PostgreSQL used. */
export const playTurn = async (gateways: readonly LoadedGateway[], { connections, seconds }: TurnOptions) => {
  const since = postgresSeconds();
  const times = ['-c', String(connections), '-d', String(seconds), '-w', String(warmUpSeconds)];
  const results = await Promise.all(
    gateways.map(({ url, key, pids }) => {
      const counted = pids.flatMap((pid) => ['-p', String(pid)]);
      return load([...times, '-m', servedModel, '-k', key, ...counted, `${url}/v1/chat/completions`]);
    }),
  );
  const ok = sumOf(results, (each) => each.ok);
  const calls = ok + sumOf(results, (each) => each.rps * warmUpSeconds);
  return {
    calls,
    cpuUsPerCall: sumOf(results, (each) => each.ok * each.sut_cpu_us_per_req) / ok,
    postgresUsPerCall: ((postgresSeconds() - since) * 1e6) / calls,
    callsPerSecond: sumOf(results, (each) => each.rps),
    failed: sumOf(results, (each) => each.errors + each.non200),
  };
};
export type Turn = Awaited<ReturnType<typeof playTurn>>;

/** The medians of turns. */
export const figuresOf = (turns: readonly Turn[]) => ({
  cpuUsPerCall: Number(median(turns.map((each) => each.cpuUsPerCall)).toFixed(1)),
  postgresUsPerCall: Number(median(turns.map((each) => each.postgresUsPerCall)).toFixed(1)),
  callsPerSecond: Math.round(median(turns.map((each) => each.callsPerSecond))),
  failed: sumOf(turns, (each) => each.failed),
});
