import { randomInt } from 'node:crypto';

const two = (value: number): string => String(value).padStart(2, '0');

/** `YYYYMMDDhhmmss` of local time, the part below a second in nanoseconds, and 8 random digits (wire contract 1.8). */
export const createRequestId = (nowMs: number): string => {
  const now = new Date(nowMs);
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  const nanoseconds = now.getMilliseconds() * 1_000_000;
  return `${day}${time}${nanoseconds}${String(randomInt(100_000_000)).padStart(8, '0')}`;
};
