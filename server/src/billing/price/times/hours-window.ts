import type { PriceCard } from '@weir/contract/prices/price-book';
import { clockIn } from './local-time.ts';

type Hours = NonNullable<PriceCard['hours']>;
type Window = Hours['windows'][number];

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const dayBefore = (day: number): number => ((day + 5) % 7) + 1;

/** The first window that an instant is in; undefined: none, and the price is not multiplied. */
export const hoursWindow = ({ zone, windows }: Hours, atMs: number): Window | undefined => {
  const clock = new Date(clockIn(zone, atMs));
  /** 1 is Monday. */
  const day = ((clock.getUTCDay() + 6) % 7) + 1;
  const minute = clock.getUTCHours() * 60 + clock.getUTCMinutes();
  const fits = ({ days, from, to }: Window): boolean => {
    const isOn = (weekday: number) => days === undefined || days.includes(weekday);
    const [start, end] = [minutesOf(from), minutesOf(to)];
    if (start < end) return isOn(day) && minute >= start && minute < end;
    return (isOn(day) && minute >= start) || (isOn(dayBefore(day)) && minute < end);
  };
  return windows.find(fits);
};
