import type { PriceCard } from '@weir/contract/prices/price-book';

type Hours = NonNullable<PriceCard['hours']>;

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const options = { timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat('en-US', options);
  formats.set(zone, format);
  return format;
};

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Day of the week (1: Monday) and minute of the day in a time zone. */
const localTime = (zone: string, atMs: number): { readonly day: number; readonly minute: number } => {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  return { day: weekdays.indexOf(parts.get('weekday') ?? '') + 1, minute };
};

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const dayBefore = (day: number): number => ((day + 5) % 7) + 1;

/** The multiple of the price at an instant, as decimal text: of the first window that fits, otherwise 1. */
export const hoursFactor = ({ zone, windows }: Hours, atMs: number): string => {
  const { day, minute } = localTime(zone, atMs);
  const fits = ({ days, from, to }: Hours['windows'][number]): boolean => {
    const isOn = (weekday: number) => days === undefined || days.includes(weekday);
    const [start, end] = [minutesOf(from), minutesOf(to)];
    if (start < end) return isOn(day) && minute >= start && minute < end;
    return (isOn(day) && minute >= start) || (isOn(dayBefore(day)) && minute < end);
  };
  return windows.find(fits)?.factor ?? '1';
};
