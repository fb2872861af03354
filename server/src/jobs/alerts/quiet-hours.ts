import type { QuietHours } from '@weir/contract/alerts/alerts';

const minuteMs = 60_000;
const dayMinutes = 1440;
/** A day with a change of the clock has up to 25 hours; some zones once left out or repeated a day. */
const minutesMax = 2 * dayMinutes;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** The minute of the local day at a moment. */
const localClock = (zone: string): ((atMs: number) => number) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (atMs) => minutesOf(format.format(atMs));
};

/**
 * The moment at which quiet hours end, in unix milliseconds; undefined: it is not within them. What counts is the local
 * clock: hours that it leaves out or repeats when it is changed are left out or repeated here.
 */
export const quietUntil = ({ from, until, zone }: QuietHours, nowMs: number): number | undefined => {
  const [start, end] = [minutesOf(from), minutesOf(until)];
  const clock = localClock(zone);
  const isQuiet = (atMs: number): boolean => {
    const minute = clock(atMs);
    return start <= end ? minute >= start && minute < end : minute >= start || minute < end;
  };
  if (!isQuiet(nowMs)) return undefined;
  let at = Math.floor(nowMs / minuteMs) * minuteMs + minuteMs;
  for (let passed = 0; passed < minutesMax && isQuiet(at); passed += 1) at += minuteMs;
  return at;
};
