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

export const periodsNamed = (names: string | undefined): readonly NamedPeriod[] =>
  names === undefined || names === ''
    ? []
    : names.split(',').map((name) => {
        const isHard = !name.startsWith(softMark);
        return { id: Number(isHard ? name : name.slice(softMark.length)), isHard };
      });
