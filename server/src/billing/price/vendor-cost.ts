import type { PriceTable } from './price-table.ts';
import type { CostQuestion, CostUnit } from './price-question.ts';
import type { Tokens } from './price.ts';

/** What a vendor did for a call. */
interface Work {
  readonly usage: Tokens & { readonly estimated: boolean };
  /** The tokens are the price of images. */
  readonly drawn?: boolean;
  /** Of a text to speak. */
  readonly characters?: number | undefined;
  /** The prompt is a recording. */
  readonly recorded?: boolean;
}

/** A unit that the work may be counted in, with its number as tokens. */
type Counted = readonly [CostUnit, Tokens];

/** Search units are metered as so many tokens each. */
const tokensPerSearch = 1000;

/** As its upstream reports, in seconds or tokens; a count of the transcript does not tell how long the recording is. */
const ofRecording = (usage: Work['usage']): readonly Counted[] =>
  usage.estimated ? [] : [[usage.completion === 0 ? 'second' : 'token', usage]];

/** A number that is no multiple of a search's is one of tokens. */
const isSearches = ({ prompt, completion, estimated }: Work['usage']): boolean =>
  !estimated && completion === 0 && prompt % tokensPerSearch === 0;

/** The units that the work may be counted in: the first one that the list has a price for counts. */
const countedIn = ({ usage, drawn, characters, recorded }: Work): readonly Counted[] => {
  if (drawn === true) return [['image', usage]];
  if (characters !== undefined) return [['character', { prompt: characters, completion: 0 }]];
  if (recorded === true) return ofRecording(usage);
  const tokens: Counted = ['token', usage];
  return isSearches(usage) ? [tokens, ['search', usage]] : [tokens];
};

/**
 * What a call costs at its vendor in nano-dollars, by the list price in force when it was admitted and the factor of
 * the channel that answered: exact, and rounded once, up. Null: not known.
 */
export const vendorCost = (
  prices: Pick<PriceTable, 'cost'>,
  question: Omit<CostQuestion, 'unit'>,
  work: Work,
): number | null => {
  for (const [unit, tokens] of countedIn(work)) {
    const cost = prices.cost({ ...question, unit });
    if (cost !== null) return cost.quota(tokens);
  }
  return null;
};
