import type { FetchedModel } from '@weir/contract/channels';

/** The parts of the comparison: `new` at the provider, offered but `gone` there, offered and there. */
export type Part = 'new' | 'gone' | 'both';

export const partOf = ({ listed, offered }: Pick<FetchedModel, 'listed' | 'offered'>): Part => {
  if (!offered) return 'new';
  return listed ? 'both' : 'gone';
};

/**
 * What is chosen at first: what the channel offers; where that are only the defaults of its type, what its provider lists.
 */
export const chosenAtFirst = (models: readonly FetchedModel[], automatic: boolean): ReadonlySet<string> =>
  new Set(models.filter(({ listed, offered }) => (automatic ? listed : offered)).map(({ name }) => name));

export const withAll = (chosen: ReadonlySet<string>, models: readonly FetchedModel[]): ReadonlySet<string> =>
  new Set([...chosen, ...models.map(({ name }) => name)]);

export const withoutAll = (chosen: ReadonlySet<string>, models: readonly FetchedModel[]): ReadonlySet<string> => {
  const names = new Set(models.map(({ name }) => name));
  return new Set([...chosen].filter((name) => !names.has(name)));
};

/** The chosen names in the order of the comparison, and how many come and go. */
export const changeOf = (models: readonly FetchedModel[], chosen: ReadonlySet<string>) => ({
  names: models.filter(({ name }) => chosen.has(name)).map(({ name }) => name),
  added: models.filter(({ name, offered }) => !offered && chosen.has(name)).length,
  removed: models.filter(({ name, offered }) => offered && !chosen.has(name)).length,
});
