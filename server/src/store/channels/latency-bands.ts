/**
 * Times are counted in bands, each a quarter longer than the one before: medians and percentiles of any number of nodes
 * and hours can be added up, and are right within a tenth.
 */
const growth = 1.25;
const firstMs = 10;
/** Half an hour and beyond. */
const bandMax = 55;

/** The band of a time in milliseconds. */
export const bandOf = (ms: number): number =>
  ms < firstMs ? 0 : Math.min(bandMax, 1 + Math.floor(Math.log(ms / firstMs) / Math.log(growth)));

/** The middle of a band, in milliseconds. */
const middleOf = (band: number): number => (band === 0 ? firstMs / 2 : firstMs * growth ** (band - 0.5));

/** Milliseconds that the given share of all counted times did not exceed; 0 where nothing was counted. */
export const quantile = (counts: ReadonlyMap<number, number>, share: number): number => {
  const bands = [...counts].toSorted(([one], [other]) => one - other);
  let left = bands.reduce((sum, [, count]) => sum + count, 0) * share;
  for (const [band, count] of bands) {
    left -= count;
    if (left <= 0) return Math.round(middleOf(band));
  }
  return 0;
};
