/** The success rate of a channel's latest calls, and the limit below which it is too low. */
export interface SuccessRule {
  /** The latest calls that count; with fewer calls no channel is rated. */
  readonly calls: number;
  /** From 0 to 1: less than this is too rare. */
  readonly least: number;
}

/** The latest outcomes of each channel, on this node. */
export interface SuccessRates {
  succeeded(channelId: number): void;
  /**
   * The rate, where this failure made it too low; the channel's outcomes are cleared then, so that it is reported once.
   */
  failed(channelId: number): number | undefined;
}

export const createSuccessRates = ({ calls, least }: SuccessRule): SuccessRates => {
  const outcomes = new Map<number, boolean[]>();
  const add = (channelId: number, outcome: boolean): readonly boolean[] => {
    const latest = outcomes.get(channelId) ?? [];
    outcomes.set(channelId, latest);
    latest.push(outcome);
    if (latest.length > calls) latest.shift();
    return latest;
  };
  return {
    succeeded: (channelId) => void add(channelId, true),
    failed: (channelId) => {
      const latest = add(channelId, false);
      const rate = latest.filter(Boolean).length / latest.length;
      if (latest.length < calls || rate >= least) return undefined;
      outcomes.delete(channelId);
      return rate;
    },
  };
};
