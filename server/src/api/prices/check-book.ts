import { setImmediate as nextTurn } from 'node:timers/promises';
import { bookBytesMax, bookEntriesMax } from '@weir/contract/prices/book-updates';
import { type BookEntry, bookEntrySchema, type PriceBook } from '@weir/contract/prices/price-book';
import { textInput } from '@weir/contract/wire';
import * as v from 'valibot';
import { lineAt, lineOfEntry } from '../../billing/price/book/book-lines.ts';
import { jsonFaultAt } from '../../billing/price/book/json-fault.ts';
import { AppError, type Fault } from '../../errors.ts';
import { inputFaults } from '../../http/input-faults.ts';

/** Entries that are checked without a pause: 5 ms. Relayed calls go on between them. */
const atOnce = 200;

const outerSchema = v.object({
  name: v.pipe(textInput(100), v.minLength(1)),
  entries: v.array(v.unknown()),
});

const refuse = (line: number, faults: readonly Fault[]): never => {
  throw new AppError('price_book_invalid', { line, faults });
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return refuse(lineAt(text, jsonFaultAt(text)), [{ member: 'JSON', code: 'malformed' }]);
  }
};

const checkEntry = (text: string, input: unknown, index: number): BookEntry => {
  const result = v.safeParse(bookEntrySchema, input);
  if (result.success && /\p{Cc}/u.test(`${result.output.vendor}${result.output.model}`))
    return refuse(lineOfEntry(text, index), [{ member: `entries.${index}.model`, code: 'malformed' }]);
  if (result.success) return result.output;
  const [first] = inputFaults(result.issues);
  const path = first === undefined || first.member === 'body' ? '' : `.${first.member}`;
  const fault: Fault = { code: 'malformed', ...first, member: `entries.${index}${path}` };
  return refuse(lineOfEntry(text, index), [fault]);
};

/** Reads a price book in full; throws with the line and the path of the first member that is wrong. */
export const checkPriceBook = async (text: string): Promise<PriceBook> => {
  if (Buffer.byteLength(text) > bookBytesMax)
    throw new AppError('price_book_too_long', { limit: bookBytesMax / 1024 / 1024 });
  const outer = v.safeParse(outerSchema, parseJson(text));
  if (!outer.success) return refuse(1, inputFaults(outer.issues).slice(0, 1));
  const { name, entries: inputs } = outer.output;
  if (inputs.length > bookEntriesMax)
    return refuse(lineOfEntry(text, bookEntriesMax), [{ member: 'entries', code: 'too_large', limit: bookEntriesMax }]);
  if (inputs.length === 0) return refuse(lineOfEntry(text, 0), [{ member: 'entries', code: 'missing' }]);
  const entries: BookEntry[] = [];
  const known = new Set<string>();
  for (const [index, each] of inputs.entries()) {
    if (index % atOnce === atOnce - 1) await nextTurn();
    const entry = checkEntry(text, each, index);
    const key = `${entry.vendor}\n${entry.model}\n${entry.from}`;
    if (known.has(key)) refuse(lineOfEntry(text, index), [{ member: `entries.${index}`, code: 'repeated' }]);
    known.add(key);
    entries.push(entry);
  }
  return { name, entries };
};
