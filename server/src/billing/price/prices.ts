import { createHash } from 'node:crypto';
import type { OptionKey } from '@weir/contract/options';
import type { Options } from '../../store/options.ts';
import defaults from './default-ratios.json' with { type: 'json' };
import { createPriceTable, type PriceTable, type RatioTexts } from './ratio-tables.ts';

/** The prices of now. */
export interface Prices {
  current(): PriceTable;
  close(): void;
}

const keys = ['ModelRatio', 'CompletionRatio', 'GroupRatio', 'PartRatio'] as const satisfies readonly OptionKey[];
const versionBytes = 6;

const defaultTexts: RatioTexts = {
  modelRatio: JSON.stringify(defaults.model_ratio),
  completionRatio: JSON.stringify(defaults.completion_ratio),
  groupRatio: JSON.stringify(defaults.group_ratio),
  partRatio: '',
};

/** A table of parts that is empty adds nothing to the name. */
const namingOf = ({ modelRatio, completionRatio, groupRatio, partRatio }: RatioTexts): readonly string[] => [
  modelRatio,
  completionRatio,
  groupRatio,
  ...(['', '{}'].includes(partRatio) ? [] : [partRatio]),
];

/** A digest of a set of ratio texts: the same on every node and after every restart. */
const versionOf = (texts: RatioTexts): number =>
  createHash('sha256')
    .update(JSON.stringify(namingOf(texts)))
    .digest()
    .readUIntBE(0, versionBytes);

/** Keeps the price table current with the ratio options: a call sees one table from its start to its end. */
export const createPrices = (options: Pick<Options, 'text' | 'watch'>): Prices => {
  const build = (): PriceTable => {
    const texts = {
      modelRatio: options.text('ModelRatio'),
      completionRatio: options.text('CompletionRatio'),
      groupRatio: options.text('GroupRatio'),
      partRatio: options.text('PartRatio'),
    };
    return createPriceTable(versionOf(texts), texts, defaultTexts);
  };
  let table = build();
  const unwatch = options.watch(keys, () => {
    table = build();
  });
  return { current: () => table, close: unwatch };
};
