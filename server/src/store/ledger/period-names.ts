/** A period of a budget that a call counts against. */
export interface NamedPeriod {
  readonly id: number;
  /** Calls beyond it are refused; otherwise it is only counted. */
  readonly isHard: boolean;
}

const softMark = '~';

/** Periods as postings, holds and ledger entries name them, such as `12,~15`: `~` marks one that is only counted. */
export const namePeriods = (periods: readonly NamedPeriod[]): string =>
  periods.map(({ id, isHard }) => (isHard ? String(id) : `${softMark}${id}`)).join(',');

const none: readonly NamedPeriod[] = [];

const read = (names: string): readonly NamedPeriod[] =>
  names.split(',').map((name) => {
    const isHard = !name.startsWith(softMark);
    return { id: Number(isHard ? name : name.slice(softMark.length)), isHard };
  });

/** Calls of one subject name the same periods again and again, and each call several times. */
const known = new Map<string, readonly NamedPeriod[]>();
const knownMax = 10_000;

export const periodsNamed = (names: string | undefined): readonly NamedPeriod[] => {
  if (names === undefined || names === '') return none;
  const found = known.get(names);
  if (found !== undefined) return found;
  const periods = read(names);
  if (known.size >= knownMax) known.clear();
  known.set(names, periods);
  return periods;
};
