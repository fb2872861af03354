import { type Place, reportFault } from './report-fault.ts';

const dayMs = 86_400_000;
/** Reports of vendors are not older, and the years of their days have four digits. */
const begin = Date.UTC(2015, 0, 1);
const end = Date.UTC(2200, 0, 1);
const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A moment as unix seconds, or as ISO 8601; without a zone it is UTC. In milliseconds. */
const readMoment = (value: unknown): number | undefined => {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{9,11}$/.test(text)) return Number(text) * 1000;
  const [, year, month, date] = iso.exec(text) ?? [];
  if (year === undefined) return undefined;
  // `2026-02-30` would be read as a day of March.
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(date));
  if (dayText(midnight) !== `${year}-${month}-${date}`) return undefined;
  if (text.length === 10) return midnight;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`;
  const ms = Date.parse(zoned.replace(' ', 'T'));
  return Number.isNaN(ms) ? undefined : ms;
};

/**
 * The UTC day of a row that begins and, unless `until` is empty, ends at these moments. One that reaches into another
 * day cannot be compared by day.
 */
export const readDay = (from: unknown, until: unknown, place: Place): string => {
  const first = readMoment(from);
  if (first === undefined || first < begin || first >= end) throw reportFault('not_a_day', { place, member: 'date' });
  if (until === undefined || until === null || until === '') return dayText(first);
  const after = readMoment(until);
  if (after === undefined || after <= first) throw reportFault('not_a_day', { place, member: 'end' });
  if (Math.floor(first / dayMs) !== Math.floor((after - 1) / dayMs))
    throw reportFault('not_one_day', { place, member: 'end' });
  return dayText(first);
};
