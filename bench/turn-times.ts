/**
 * Preloaded into a process (`--import`): writes the longest stretch of processor time that its main thread took between two
 * timers, in milliseconds, to the file TURN_TIMES. Unlike waiting times it does not depend on what else the machine does.
 */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env['TURN_TIMES'];
const everyMs = 5;

const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

if (isMainThread && file !== undefined) {
  let before = Infinity;
  const longest: number[] = [];
  setInterval(() => {
    const now = usedMs();
    longest.push(now - before);
    before = now;
  }, everyMs).unref();
  setInterval(() => {
    const sorted = longest.toSorted((one, other) => one - other);
    const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
    writeFileSync(file, JSON.stringify({ p99: at(0.99), most: at(1) }));
  }, 500).unref();
}
