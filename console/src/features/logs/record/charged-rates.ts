import type { Charge } from '@weir/contract/prices/charges';
import { exactToNumber, readExact, timesExact } from '../../../lib/format/exact.ts';

/** Quota units for a million tokens of a charge, its group's ratio included; undefined: the row has no ratios. */
export const ratesOf = ({
  ratios,
  free_prompt: isPromptFree,
}: Pick<Charge, 'ratios' | 'free_prompt'>): { readonly input: number; readonly output: number } | undefined => {
  if (ratios === null) return undefined;
  const [model, completion, group] = [ratios.model, ratios.completion, ratios.group].map(readExact);
  if (model === undefined || completion === undefined || group === undefined) return undefined;
  const base = timesExact(timesExact(model, group), { times: 1_000_000n, over: 1n });
  return {
    input: isPromptFree ? 0 : exactToNumber(base),
    output: exactToNumber(timesExact(base, completion)),
  };
};
