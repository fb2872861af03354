const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const days = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...days, ...time });
  formats.set(zone, format);
  return format;
};

/** What the clock of a time zone shows at an instant, as if it were a time in UTC; both in unix milliseconds. */
export const clockIn = (zone: string, atMs: number): number => {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
};

/** The instant at which the clock of a zone shows a time; where it jumps over that time, the instant of the jump or later. */
export const instantOf = (zone: string, clockMs: number): number => {
  let atMs = clockMs;
  for (let round = 0; round < 3; round += 1) {
    const off = clockMs - clockIn(zone, atMs);
    if (off === 0) break;
    atMs += off;
  }
  return atMs;
};
