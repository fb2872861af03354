import { builtInCompletionRatio } from './built-in-completion-ratio.ts';
import { parseRatioTable, type Ratio } from './ratio.ts';
import { type PartRatios, partRatiosOf } from './usage-parts.ts';

/** The JSON texts of the ratio options. An empty or unreadable text counts as an empty table. */
export interface RatioTexts {
  readonly modelRatio: string;
  readonly completionRatio: string;
  readonly groupRatio: string;
  readonly partRatio: string;
}

/** Ratios of models by name, or by name and channel type. */
interface ModelRatios {
  model(name: string, channelType: number): Ratio | undefined;
  /** Only of the name with the channel type. */
  typed(name: string, channelType: number): Ratio | undefined;
  completion(name: string, channelType: number): Ratio | undefined;
  parts(name: string): PartRatios;
  readonly groups: ReadonlyMap<string, Ratio>;
}

const withoutInternet = (model: string, families: readonly string[]): string =>
  model.endsWith('-internet') && families.some((family) => model.startsWith(family))
    ? model.slice(0, -'-internet'.length)
    : model;

/** Reads the ratio options. The families that search the internet have the ratio of their model without it. */
export const readRatioTables = (texts: RatioTexts): ModelRatios => {
  // A price below zero is none: the model counts as one that the table does not name.
  const read = (text: string): ReadonlyMap<string, Ratio> =>
    new Map([...(parseRatioTable(text) ?? [])].filter(([, { times }]) => times >= 0n));
  const models = read(texts.modelRatio);
  const completions = read(texts.completionRatio);
  const parts = read(texts.partRatio);
  const modelName = (name: string) => withoutInternet(name, ['qwen-', 'command-']);
  const typed = (name: string, channelType: number) => models.get(`${modelName(name)}(${channelType})`);
  return {
    model: (name, channelType) => typed(name, channelType) ?? models.get(modelName(name)),
    typed,
    completion: (name, channelType) => {
      const plain = withoutInternet(name, ['qwen-']);
      return completions.get(`${plain}(${channelType})`) ?? completions.get(plain);
    },
    parts: (name) => partRatiosOf(parts, name),
    groups: read(texts.groupRatio),
  };
};

/** The completion ratio that comes with the program for a model that no table names. */
export const unlistedCompletion = (model: string): Ratio => builtInCompletionRatio(withoutInternet(model, ['qwen-']));
