import type { PriceCard } from '@weir/contract/prices/price-book';
import { clockIn } from './local-time.ts';

type Hours = NonNullable<PriceCard['hours']>;

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const dayBefore = (day: number): number => ((day + 5) % 7) + 1;

/** The multiple of the price at an instant, as decimal text: of the first window that fits, otherwise 1. */
export const hoursFactor = ({ zone, windows }: Hours, atMs: number): string => {
  const clock = new Date(clockIn(zone, atMs));
  /** 1 is Monday. */
  const day = ((clock.getUTCDay() + 6) % 7) + 1;
  const minute = clock.getUTCHours() * 60 + clock.getUTCMinutes();
  const fits = ({ days, from, to }: Hours['windows'][number]): boolean => {
    const isOn = (weekday: number) => days === undefined || days.includes(weekday);
    const [start, end] = [minutesOf(from), minutesOf(to)];
    if (start < end) return isOn(day) && minute >= start && minute < end;
    return (isOn(day) && minute >= start) || (isOn(dayBefore(day)) && minute < end);
  };
  return windows.find(fits)?.factor ?? '1';
};
