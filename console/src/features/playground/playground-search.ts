import { searchOf, upTo } from '../../lib/search-params.ts';

/** The address of the playground. */
export const playgroundSearch = searchOf({
  /** Comma-joined models that answer side by side. */
  models: upTo(2000),
});
