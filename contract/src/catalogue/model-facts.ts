import * as v from 'valibot';
import { abilities } from '../prices/price-book.ts';
import { integer } from '../wire.ts';

/** What a price book says of a model; what is absent is not known. Other servers of the contract have none of it. */
export const modelFacts = {
  /** Tokens of prompt and completion together. */
  context: v.optional(integer),
  /** Tokens of the longest completion. */
  output: v.optional(integer),
  can: v.optional(v.array(v.picklist(abilities))),
  /** The day on which the vendor ends it, as `2026-11-24`. */
  ends: v.optional(v.string()),
};
const modelFactsSchema = v.object(modelFacts);
export type ModelFacts = v.InferOutput<typeof modelFactsSchema>;
