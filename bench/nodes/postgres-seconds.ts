import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Seconds of processor time that all processes of PostgreSQL on this machine have used. Needs Linux. */
export const postgresSeconds = (): number => {
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
