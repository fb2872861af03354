import { type BillFigures, billDaysMax, type Comparison, type ComparedDay } from '@weir/contract/bills/bills';
import { addFigures, addOurs, compareBills, noFigures, type OurLine } from '../../billing/bills/compare-bills.ts';
import { readModelMapping } from '../../billing/model-mapping.ts';
import { AppError } from '../../errors.ts';
import {
  type BilledChannel,
  type ChannelDay,
  countEstimated,
  countFailed,
  listBilledChannels,
  sumChannelDays,
} from '../../store/bills/channel-days.ts';
import {
  type DayRange,
  dayNumber,
  dayText,
  findLastBilledDay,
  readBilledDays,
  readBillLines,
} from '../../store/bills/vendor-bills.ts';
import type { Database } from '../../store/database.ts';

interface ComparisonQuery {
  readonly vendor: number;
  readonly from: string;
  readonly to: string;
  readonly channels: string;
}

/** Days that are compared where the query names none. */
const usualDays = 31;

/** Not a number: no day. */
const readDay = (text: string): number => (/^\d{4}-\d\d-\d\d$/.test(text) ? dayNumber(text) : Number.NaN);

const daysOf = async (db: Database, { vendor, from, to }: ComparisonQuery, today: number): Promise<DayRange> => {
  const last = to === '' ? ((await findLastBilledDay(db, vendor)) ?? today) : readDay(to);
  const first = from === '' ? last - usualDays + 1 : readDay(from);
  if (!(first >= 0 && last >= first && last - first < billDaysMax))
    throw new AppError('bill_days', { limit: billDaysMax });
  return { from: first, before: last + 1 };
};

const channelsMax = 1000;

const idsOf = (text: string): readonly number[] => {
  const ids = text === '' ? [] : text.split(',').map(Number);
  if (ids.length > channelsMax || !ids.every((id) => Number.isSafeInteger(id) && id > 0))
    throw new AppError('invalid_parameter');
  return ids;
};

/** Our calls under the names that the vendor knows: those of the channels' present mappings. */
const ourLines = (days: readonly ChannelDay[], channels: readonly BilledChannel[]): OurLine[] => {
  const mappings = new Map(channels.map((channel) => [channel.id, readModelMapping(channel.modelMapping)]));
  return days.map((of) => ({
    ...noFigures,
    day: dayText(of.day),
    model: mappings.get(of.channelId)?.get(of.model) ?? of.model,
    requests: of.requests,
    input: of.promptTokens,
    output: of.completionTokens,
    cost: of.cost,
  }));
};

const totalOf = (figures: readonly (BillFigures | null)[]): BillFigures =>
  figures.reduce<BillFigures>((sum, of) => (of === null ? sum : addFigures(sum, of)), noFigures);

const differenceOf = ({ theirs, ours }: ComparedDay): number =>
  Math.abs((theirs?.cost ?? 0) - (ours?.cost ?? 0)) +
  Math.abs((theirs?.input ?? 0) + (theirs?.output ?? 0) - (ours?.input ?? 0) - (ours?.output ?? 0));

const newestFirst = (one: ComparedDay, other: ComparedDay): number =>
  one.day === other.day ? differenceOf(other) - differenceOf(one) : one.day < other.day ? 1 : -1;

/** Reads and compares both sides; the days before and after take part, for what is counted across midnight. */
const compareDays = async (
  db: Database,
  {
    vendor,
    range,
    channels,
  }: { readonly vendor: number; readonly range: DayRange; readonly channels: readonly BilledChannel[] },
): Promise<ComparedDay[]> => {
  const around = { from: range.from - 1, before: range.before + 1 };
  const ofChannels = { ...around, channelIds: channels.map(({ id }) => id) };
  const [theirs, billed, days, estimated, failed] = await Promise.all([
    readBillLines(db, { vendor, ...around }),
    readBilledDays(db, { vendor, ...around }),
    sumChannelDays(db, ofChannels),
    countEstimated(db, ofChannels),
    countFailed(db, ofChannels),
  ]);
  const covered = days.filter(({ day }) => billed.has(day));
  const evidence = [...billed].map((day) => ({
    day: dayText(day),
    failed: failed.get(day) ?? 0,
    estimated: estimated.get(day) ?? 0,
  }));
  return compareBills({ theirs, ours: ourLines(covered, channels), evidence }).filter(
    ({ day }) => dayNumber(day) >= range.from && dayNumber(day) < range.before,
  );
};

/** What a vendor states beside what passed through here. `now`: unix seconds. */
export const readComparison = async (db: Database, query: ComparisonQuery, now: number): Promise<Comparison> => {
  const range = await daysOf(db, query, Math.floor(now / 86_400));
  const channels = await listBilledChannels(db, { type: query.vendor, ids: idsOf(query.channels) });
  const rows = await compareDays(db, { vendor: query.vendor, range, channels });
  return {
    vendor: query.vendor,
    from: dayText(range.from),
    to: dayText(range.before - 1),
    channels: channels.map(({ id, name }) => ({ id, name })),
    rows: rows.toSorted(newestFirst),
    theirs: totalOf(rows.map(({ theirs }) => theirs)),
    ours: addOurs(rows.flatMap(({ ours }) => (ours === null ? [] : [ours]))),
    flagged: rows.filter(({ flagged }) => flagged).length,
  };
};
