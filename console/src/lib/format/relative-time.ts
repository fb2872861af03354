const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** "3 minutes ago", "in 29 days". */
export const relativeTime = (unixSeconds: number, nowSeconds: number, language: string): string => {
  const distance = unixSeconds - nowSeconds;
  const [unit, seconds] = units.find(([, size]) => Math.abs(distance) >= size) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(distance / seconds), unit);
};
