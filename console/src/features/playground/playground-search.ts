import { searchOf, upTo } from '../../lib/lists/search-params.ts';

/** The search parameters of the playground. */
export const playgroundSearch = searchOf({
  /** Comma-joined models that answer side by side. */
  models: upTo(2000),
});
