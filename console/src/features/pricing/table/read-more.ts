import type { PriceCard } from '@weir/contract/prices/price-book';
import { readDollars } from '../../../lib/format/exact.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { factorForm, isZone, rateNames, timeForm } from '../editor/price-draft.ts';

/** What of a price has no column of its own. */
export type MoreOfCard = Pick<PriceCard, 'tiers' | 'classes' | 'hours' | 'volume'>;

type Check = (value: unknown) => boolean;

const isCount: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
const isText =
  (form: RegExp): Check =>
  (value) =>
    typeof value === 'string' && form.test(value);
const isAmount: Check = (value) => typeof value === 'string' && readDollars(value) === value;
const isDay: Check = (value) => isCount(value) && Number(value) <= 7;
const listOf =
  (check: Check, most: number, least = 0): Check =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every(check);

/** Whether a value is an object of these members and no others; those of `optional` may be missing. */
const hasMembers =
  (members: Readonly<Record<string, Check>>, optional: readonly string[] = []): Check =>
  (value) =>
    isRecord(value) &&
    !Array.isArray(value) &&
    Object.keys(value).every((name) => name in members) &&
    Object.entries(members).every(([name, check]) =>
      value[name] === undefined ? optional.includes(name) : check(value[name]),
    );

const rates = Object.fromEntries(rateNames.map((name) => [name, isAmount]));
const zone: Check = (value) => typeof value === 'string' && isZone(value);
const factor = isText(factorForm);
const time = isText(timeForm);
const classNames = ['batch', 'flex', 'priority'] as const;
const changed = hasMembers(rates, rateNames);

const isMore = hasMembers(
  {
    tiers: listOf(hasMembers({ above: isCount, ...rates }, rateNames), 8),
    classes: hasMembers(Object.fromEntries(classNames.map((name) => [name, changed])), classNames),
    hours: hasMembers({
      zone,
      windows: listOf(hasMembers({ days: listOf(isDay, 7, 1), from: time, to: time, factor }, ['days']), 32),
    }),
    volume: hasMembers({ zone, steps: listOf(hasMembers({ above: isCount, factor }), 16) }),
  },
  ['tiers', 'classes', 'hours', 'volume'],
);

/** Reads the column as an export writes it; undefined: it is anything else. */
export const readMore = (text: string): MoreOfCard | undefined => {
  if (text === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isMore(parsed)) return undefined;
    // oxlint-disable-next-line typescript/consistent-type-assertions -- every member was checked above
    return parsed as MoreOfCard;
  } catch {
    return undefined;
  }
};
