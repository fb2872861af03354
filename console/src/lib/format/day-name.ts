/** `Mon`: day 1 is Monday, the first of a week of a calendar that began with one. */
export const dayName = (day: number, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day));
