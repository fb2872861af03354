import { searchOf, upTo } from '../../lib/lists/search-params.ts';

/** The address of the playground. */
export const playgroundSearch = searchOf({
  /** Comma-joined models that answer side by side. */
  models: upTo(2000),
});
