import { nameKeyOf } from '../../store/users/user-names.ts';
import type { OptionKey } from '@weir/contract/options';
import { type Source, SourceError, type SourceTable } from '../sources/source.ts';
import { UnreadableValue } from '../source-values.ts';
import type { Conversion, Converted } from './conversion.ts';
import { convertChannel } from './channels.ts';
import { convertOptions, noteGroups } from './options.ts';
import { convertRedemption } from './redemptions.ts';
import { convertToken } from './tokens.ts';
import { convertUser } from './users.ts';

/** Which gateway a database is of. */
export interface SourceKind {
  readonly name: 'One API' | 'New API';
  readonly isNewApi: boolean;
}

const needed: readonly SourceTable[] = ['users', 'tokens', 'channels', 'options'];

/** Recognises the gateway by its tables. Throws where it is none of those that can be read. */
export const recognise = async (source: Source): Promise<SourceKind> => {
  for (const table of needed)
    if ((await source.columns(table)).length === 0)
      throw new SourceError(`There is no table "${table}": this is no database of One API or New API`);
  const [users, tokens] = [await source.columns('users'), await source.columns('tokens')];
  if (!users.includes('aff_code') || !tokens.includes('remain_quota'))
    throw new SourceError('The tables are not those of One API or New API');
  const isNewApi = users.includes('aff_count') || tokens.includes('model_limits_enabled');
  return { name: isNewApi ? 'New API' : 'One API', isNewApi };
};

/** Pages of a table that may be missing: the log can be in another database. */
export const pagesIn = async function* (source: Source, table: SourceTable, after?: number) {
  if ((await source.columns(table)).length > 0) yield* source.pages(table, after);
};

/** The forms of user names that more than one user has. */
export const findSharedNames = async (source: Source): Promise<ReadonlySet<string>> => {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for await (const rows of source.pages('users')) {
    for (const { username } of rows) {
      const key = nameKeyOf(username ?? '');
      if (seen.has(key)) shared.add(key);
      seen.add(key);
    }
  }
  return shared;
};

/** The options of the source as they are. */
export const readSourceOptions = async (source: Source): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  for await (const rows of source.pages('options'))
    for (const { key, value } of rows) texts.set(key ?? '', (value ?? '').replaceAll('\0', ''));
  return texts;
};

/** Runs a conversion of one row; a value that is not exact is reported, and the row left out: nothing is imported then. */
const guarded = async <Result>(
  { findings }: Conversion,
  convert: () => Result | Promise<Result>,
): Promise<Result | undefined> => {
  try {
    return await convert();
  } catch (error) {
    if (!(error instanceof UnreadableValue)) throw error;
    findings.add('not_exact', { table: error.table, id: error.id, detail: error.column });
    return undefined;
  }
};

type Opened<Row> = { readonly row: Row; readonly entries: Converted['entries'] };
const batchOf = (table: Converted['table'], opened: readonly (Opened<object> | undefined)[]): Converted => {
  const kept = opened.filter((one) => one !== undefined);
  return { table, rows: kept.map(({ row }) => row), entries: kept.flatMap(({ entries }) => entries) };
};

/** Everything but options and log, in an order in which no row comes before one that it names. */
export const convertAccounts = async function* (source: Source, conversion: Conversion): AsyncGenerator<Converted> {
  for await (const rows of source.pages('users')) {
    const opened: (Opened<object> | undefined)[] = [];
    for (const row of rows) opened.push(await guarded(conversion, () => convertUser(row, conversion)));
    yield batchOf('users', opened);
  }
  for await (const rows of source.pages('tokens')) {
    const opened: (Opened<object> | undefined)[] = [];
    for (const row of rows) opened.push(await guarded(conversion, () => convertToken(row, conversion)));
    yield batchOf('tokens', opened);
  }
  for await (const rows of source.pages('channels')) {
    const opened = [];
    for (const row of rows) opened.push(await guarded(conversion, () => convertChannel(row, conversion)));
    yield batchOf('channels', opened);
    const abilities = opened.flatMap((one) => one?.abilities ?? []);
    yield { table: 'abilities', rows: abilities, entries: [] };
  }
  for await (const rows of pagesIn(source, 'redemptions')) {
    const opened: (Opened<object> | undefined)[] = [];
    for (const row of rows) opened.push(await guarded(conversion, () => convertRedemption(row, conversion)));
    yield batchOf('redemptions', opened);
  }
};

/** The options as they are stored here. After the accounts: their groups are compared with the ratios. */
export const convertSettings = async (
  source: Source,
  { findings, groups }: Conversion,
): Promise<ReadonlyMap<OptionKey, string>> => {
  const texts = await readSourceOptions(source);
  noteGroups(texts.get('GroupRatio'), groups, findings);
  return convertOptions(texts, findings);
};
