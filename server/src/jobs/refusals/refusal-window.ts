/** Chooses the refused calls that get a record of their own: all of a few, few of many. */
export interface RefusalWindow {
  /** `source` names the caller with rule and model; `minute` is the current one, by any clock. */
  takes(call: { readonly source: string; readonly isKnown: boolean; readonly minute: number }): boolean;
}

/** Records that one source gets in a minute. */
export const perSourceMax = 10;
/** Records of a minute on this node, of known users and of all others. They bound the memory of a minute too. */
export const knownMax = 600;
export const unknownMax = 60;

export const createRefusalWindow = (): RefusalWindow => {
  let current = Number.NaN;
  let taken = { known: 0, unknown: 0 };
  let bySource = new Map<string, number>();
  return {
    takes: ({ source, isKnown, minute }) => {
      if (minute !== current) {
        current = minute;
        taken = { known: 0, unknown: 0 };
        bySource = new Map();
      }
      const kind = isKnown ? 'known' : 'unknown';
      if (taken[kind] >= (isKnown ? knownMax : unknownMax)) return false;
      const before = bySource.get(source) ?? 0;
      if (before >= perSourceMax) return false;
      bySource.set(source, before + 1);
      taken[kind] += 1;
      return true;
    },
  };
};
