import { AppError, type FaultCode } from '../../errors.ts';

/** Where in a report something is wrong: a line of a table, or a path of JSON. */
export type Place = string;

interface ReportFault {
  readonly place: Place;
  /** A member of that place; absent: all of it. */
  readonly member?: string;
  readonly limit?: number;
}

/** The refusal of a report. */
export const reportFault = (code: FaultCode, { place, member, limit }: ReportFault): AppError => {
  const name = member === undefined ? place : `${place}: ${member}`;
  return new AppError('report_invalid', {
    faults: [{ member: name, code, ...(limit === undefined ? {} : { limit }) }],
  });
};
