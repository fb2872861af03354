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

const dayMs = 86_400_000;

/** The first instant at which the clock of a zone shows a time; where it jumps over that time, the instant of the jump. */
export const instantOf = (zone: string, clockMs: number): number => {
  // The zone is as far from UTC as a day before or a day after: it changes once between them at most.
  const candidates = [-dayMs, dayMs].map((away) => clockMs - (clockIn(zone, clockMs + away) - (clockMs + away)));
  const [early = clockMs, late = clockMs] = candidates.toSorted((one, other) => one - other);
  const isFirst = (atMs: number): boolean => clockIn(zone, atMs) >= clockMs && clockIn(zone, atMs - 1000) < clockMs;
  return isFirst(early) ? early : late;
};
