import type { ModelFacts as WireFacts } from '@weir/contract/catalogue/model-facts';
import type { ModelFacts } from '../billing/price/book/model-facts.ts';

/** Facts as the wire has them. */
export const copyFacts = ({ can, ...facts }: ModelFacts): WireFacts => ({
  ...facts,
  ...(can !== undefined && { can: [...can] }),
});

const least = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** Facts of a model that several channels serve: what each of them can, and the end of the last one that ends. */
export const sharedFacts = (all: readonly ModelFacts[]): WireFacts => {
  const context = least(all.map((facts) => facts.context));
  const output = least(all.map((facts) => facts.output));
  const [first] = all;
  const can = first?.can?.filter((ability) => all.every((facts) => facts.can?.includes(ability) === true));
  const ends = all.map((facts) => facts.ends ?? '').toSorted();
  const last = ends[0] === '' ? undefined : ends.at(-1);
  return {
    ...(context !== undefined && { context }),
    ...(output !== undefined && { output }),
    ...(can !== undefined && can.length > 0 && { can }),
    ...(last !== undefined && { ends: last }),
  };
};
