import type { PricedModels } from '@weir/contract/prices/own-prices';
import type { PriceCard } from '@weir/contract/prices/price-book';
import { isSameExact, readDollars, readExact } from '../../../lib/format/exact.ts';
import { currentOwn, effectiveCard } from '../editor/compare.ts';
import { partsWithoutSide, rateNames, unitNames } from '../editor/price-draft.ts';
import type { RateName } from '../editor/price-draft.ts';
import { readCsv } from './read-csv.ts';
import { readMore } from './read-more.ts';

/** Columns of the file; `more`: tiers, classes, hours and volume as JSON. */
export const csvHeader = ['model', 'group', 'channel', 'from', ...rateNames, ...unitNames, 'more'] as const;

const dayOf = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString();
const moreOf = ({ tiers, classes, hours, volume }: PriceCard): string => {
  const more = { tiers, classes, hours, volume };
  return Object.values(more).every((part) => part === undefined) ? '' : JSON.stringify(more);
};

const cellsOf = (card: PriceCard): string[] => [
  ...rateNames.map((name) => card.rates?.[name] ?? ''),
  ...unitNames.map((name) => card.units?.[name] ?? ''),
  moreOf(card),
];

/** An apostrophe of the name itself is not taken for the mark of a formula when the file is read. */
const marked = (text: string): string => (text.startsWith("'") ? `'${text}` : text);

/**
 * One row for each own price that counts or will; for models without one, the price that counts, or none. `now`: unix
 * seconds.
 */
export const csvRows = ({ models }: PricedModels, now: number): string[][] =>
  models.flatMap((model) => {
    const counting = model.own.filter((price) => price.from > now || price === currentOwn(model, price, now));
    const own = counting.map(({ group, channel, from, card }) => [
      marked(model.model),
      marked(group),
      channel === 0 ? '' : String(channel),
      from === 0 ? '' : dayOf(from),
      ...cellsOf(card),
    ]);
    if (counting.some(({ group, channel, from }) => group === '' && channel === 0 && from <= now)) return own;
    const card = effectiveCard(model);
    return [[marked(model.model), '', '', '', ...cellsOf(card ?? {})], ...own];
  });

export type CsvFault =
  | 'no_header'
  | 'no_model'
  | 'amount'
  | 'channel'
  | 'group'
  | 'from'
  | 'more'
  | 'no_price'
  | 'too_long'
  | 'free_side'
  | 'column_twice'
  | 'lines'
  | 'twice';

/** What is wrong with a line of the file; lines count from 1, the header included. */
export interface CsvError {
  readonly line: number;
  readonly column: string;
  readonly fault: CsvFault;
}

/** A price of the file; `from` 0: from now on. */
export interface FilePrice {
  readonly model: string;
  readonly group: string;
  readonly channel: number;
  readonly from: number;
  readonly card: PriceCard;
}

/** A price that the file would change. */
export interface CsvChange {
  readonly line: number;
  readonly price: FilePrice;
  /** What the same calls cost now; undefined: nothing is known. */
  readonly before: PriceCard | undefined;
}

export interface CsvReading {
  readonly errors: readonly CsvError[];
  readonly changes: readonly CsvChange[];
  /** Lines that change nothing. */
  readonly same: number;
}

const modelMax = 200;
/** Read within a second. */
const linesMax = 10_000;
/** The last second of the year 9999. */
const timeMax = 253_402_300_799;

/** Spreadsheets keep the mark that stops them from running a cell as a formula. */
const unmarked = (cell: string): string => (/^'[=+\-@\t\r']/.test(cell) ? cell.slice(1) : cell).trim();

type Line = ReadonlyMap<string, string>;

const readAmounts = <Name extends string>(
  line: Line,
  names: readonly Name[],
  wrong: (column: string) => void,
): Partial<Record<Name, string>> => {
  const amounts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = line.get(name) ?? '';
    if (text === '') continue;
    const amount = readDollars(text);
    if (amount === undefined) wrong(name);
    else amounts[name] = amount;
  }
  return amounts;
};

const isSameAmount = (one: string | undefined, other: string | undefined): boolean => {
  const [a, b] = [readExact(one ?? ''), readExact(other ?? '')];
  return a && b ? isSameExact(a, b) : a === b;
};

/** Whether two cards charge the same, however their amounts are written. */
export const isSameCard = (one: PriceCard, other: PriceCard | undefined): boolean =>
  other !== undefined &&
  rateNames.every((name) => isSameAmount(one.rates?.[name], other.rates?.[name])) &&
  unitNames.every((name) => isSameAmount(one.units?.[name], other.units?.[name])) &&
  moreOf(one) === moreOf(other);

interface Known {
  readonly facts: PricedModels;
  /** Unix seconds. */
  readonly now: number;
}

const cardOf = (line: Line, fault: (column: string, fault: CsvFault) => void): PriceCard => {
  const {
    input,
    output = '0',
    ...parts
  }: Partial<Record<RateName, string>> = readAmounts(line, rateNames, (column) => fault(column, 'amount'));
  const units = readAmounts(line, unitNames, (column) => fault(column, 'amount'));
  const more = readMore(line.get('more') ?? '');
  if (more === undefined) fault('more', 'more');
  const hasRates = input !== undefined;
  const isBare = (line.get('input') ?? '') === '' && (Object.keys(parts).length > 0 || output !== '0');
  if (isBare) fault('input', 'no_price');
  if (hasRates) for (const part of partsWithoutSide({ input, output, ...parts })) fault(part, 'free_side');
  return {
    ...(hasRates && { rates: { input, output, ...parts } }),
    ...(Object.keys(units).length > 0 && { units }),
    ...more,
  };
};

const readScope = (line: Line, { facts, now }: Known, fault: (column: string, fault: CsvFault) => void) => {
  const group = line.get('group') ?? '';
  if (group !== '' && !facts.groups.some(({ name }) => name === group)) fault('group', 'group');
  const channelText = line.get('channel') ?? '';
  const channel = channelText === '' ? 0 : Number(channelText);
  // Whether it exists is for the server to say: channels that are disabled are not known here.
  if (!Number.isSafeInteger(channel) || channel < 0) fault('channel', 'channel');
  const fromText = line.get('from') ?? '';
  const from = fromText === '' ? 0 : Math.ceil(Date.parse(fromText) / 1000);
  if (!(from >= 0 && from <= timeMax)) fault('from', 'from');
  // A day that has come is no other price from then on, but one from now on.
  return { group, channel, from: from > now ? from : 0 };
};

const beforeOf = (price: FilePrice, { facts, now }: Known): PriceCard | undefined => {
  const model = facts.models.find((each) => each.model === price.model);
  const own = model?.own.filter(({ group, channel }) => group === price.group && channel === price.channel) ?? [];
  const future = price.from > 0;
  const found = future ? own.find(({ from }) => from === price.from) : model && currentOwn(model, price, now);
  if (found || future) return found?.card;
  return model && price.group === '' && price.channel === 0 ? effectiveCard(model) : undefined;
};

/** Reads a file of prices and compares it with what counts now; nothing is stored. */
export const readPrices = (text: string, known: Known): CsvReading => {
  const [header, ...rows] = readCsv(text);
  const names = header?.cells.map((cell) => unmarked(cell).toLowerCase()) ?? [];
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) return { errors: [{ line: 1, column: twice, fault: 'column_twice' }], changes: [], same: 0 };
  if (!names.includes('model') || !csvHeader.some((name) => name !== 'model' && names.includes(name)))
    return { errors: [{ line: 1, column: 'model', fault: 'no_header' }], changes: [], same: 0 };
  const beyond = rows[linesMax];
  if (beyond !== undefined)
    return { errors: [{ line: beyond.line, column: 'model', fault: 'lines' }], changes: [], same: 0 };
  const errors: CsvError[] = [];
  const changes: CsvChange[] = [];
  const seen = new Set<string>();
  let same = 0;
  for (const { line: number, cells } of rows) {
    const line: Line = new Map(names.map((name, index) => [name, unmarked(cells[index] ?? '')]));
    const before = errors.length;
    const fault = (column: string, kind: CsvFault) => errors.push({ line: number, column, fault: kind });
    const model = line.get('model') ?? '';
    if (model === '') fault('model', 'no_model');
    if ([...model].length > modelMax) fault('model', 'too_long');
    const card = cardOf(line, fault);
    const price = { model, ...readScope(line, known, fault), card };
    const key = JSON.stringify([model, price.group, price.channel, price.from]);
    if (seen.has(key)) fault('model', 'twice');
    seen.add(key);
    if (errors.length > before) continue;
    const priced = card.rates !== undefined || card.units !== undefined;
    const stands = beforeOf(price, known);
    if (!priced || isSameCard(card, stands)) same += 1;
    else changes.push({ line: number, price, before: stands });
  }
  return { errors, changes, same };
};
