const two = (value: number): string => String(value).padStart(2, '0');

/** `YYYYMMDDhhmmss` of local time. */
const secondText = (second: number): string => {
  const at = new Date(second * 1000);
  const day = `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  return `${day}${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
};

/** The text of the last second, which many requests share. */
const last = { second: Number.NaN, text: '' };

const randomMax = 100_000_000;

/**
 * `YYYYMMDDhhmmss` of local time, the part below a second in nanoseconds, and 8 random digits (wire contract 1.8). No two
 * are the same: calls within a millisecond differ by the monotonic clock, nodes by chance on top of that.
 */
export const createRequestId = (nowMs: number): string => {
  const second = Math.floor(nowMs / 1000);
  if (second !== last.second) {
    last.text = secondText(second);
    last.second = second;
  }
  const belowMillisecond = Math.floor((performance.now() % 1) * 1_000_000);
  const nanoseconds = Math.floor(nowMs % 1000) * 1_000_000 + belowMillisecond;
  return `${last.text}${nanoseconds}${String(Math.floor(Math.random() * randomMax)).padStart(8, '0')}`;
};
