import { lineOf, versionOf } from './current-models.ts';

/** The newest later version of a model among names, by its shortest name; undefined: its line has none. */
export const replacementOf = (model: string, names: readonly string[]): string | undefined => {
  const line = lineOf(model);
  const version = versionOf(model);
  const [best] = names
    .filter((name) => versionOf(name) > version && lineOf(name) === line)
    .toSorted((a, b) => versionOf(b) - versionOf(a) || a.length - b.length);
  return best;
};
