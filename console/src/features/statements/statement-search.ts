import { searchOf, upTo, whole } from '../../lib/lists/search-params.ts';

/** The month of a statement as `YYYY-MM`, and the number of a user or team; without one, the own account. */
export const statementSearch = searchOf({
  month: upTo(7),
  user: whole(1, Number.MAX_SAFE_INTEGER),
  team: whole(1, Number.MAX_SAFE_INTEGER),
});
export type StatementSearch = ReturnType<typeof statementSearch>;
