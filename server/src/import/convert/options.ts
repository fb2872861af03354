import { isOptionKey, type OptionKey, options } from '@weir/contract/options';
import { checkOption } from '../../api/option-check.ts';
import { parseRatioTable } from '../../billing/price/ratio.ts';
import type { Findings } from '../findings.ts';

/**
 * What an imported installation has whatever its source says: prices as they were. Cached tokens cost as others do
 * there, and a model without a price costs the ratio 30 until the operator decides otherwise.
 */
const kept = [
  ['PartRatio', '{}'],
  ['UnpricedModels', 'fallback'],
] as const satisfies [OptionKey, string][];

const checked = (key: OptionKey, text: string, texts: ReadonlyMap<string, string>): string | undefined => {
  try {
    return checkOption(key, text, { text: (name) => texts.get(name) ?? options[name].default });
  } catch {
    return undefined;
  }
};

/** Options that this gateway has, with valid texts. */
export const convertOptions = (
  texts: ReadonlyMap<string, string>,
  findings: Findings,
): ReadonlyMap<OptionKey, string> => {
  const converted = new Map<OptionKey, string>();
  for (const [key, text] of texts) {
    // An empty text is how One API stores that nothing is set; where that is no valid text, the default is.
    if (!isOptionKey(key)) {
      findings.add('option_unknown', { table: 'options', id: key });
      continue;
    }
    const stored = checked(key, text, texts);
    if (stored === undefined) {
      findings.add('option_invalid', { table: 'options', id: key });
      continue;
    }
    if (stored !== text) findings.add('option_written', { table: 'options', id: key, field: 'value' });
    converted.set(key, stored);
  }
  for (const [key, text] of kept) converted.set(key, text);
  return converted;
};

/** Notes groups whose calls are free, and groups that no ratio is set for. */
export const noteGroups = (ratios: string | undefined, groups: ReadonlySet<string>, findings: Findings): void => {
  const table = ratios === undefined ? null : parseRatioTable(ratios);
  for (const [group, { times }] of table ?? [])
    if (times === 0n) findings.add('group_free', { table: 'options', id: `GroupRatio ${group}` });
  const known =
    table ??
    new Map([
      ['default', null],
      ['vip', null],
      ['svip', null],
    ]);
  for (const group of groups)
    if (!known.has(group)) findings.add('no_group_ratio', { table: 'options', id: `GroupRatio ${group}` });
};
