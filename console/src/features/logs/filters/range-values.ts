import type { TimesFault } from '../../../components/form/time-fields.tsx';
import { parseTime } from '../../../lib/format/parse-time.ts';
import type { RangeSearch } from './log-range.ts';

/** The two fields of the range as typed; empty: open. */
export interface RangeValues {
  readonly start: string;
  readonly end: string;
}

type RangeRead =
  | { readonly fault: TimesFault }
  | {
      readonly fault?: never;
      readonly bounds: Required<{ [Key in 'start_timestamp' | 'end_timestamp']: RangeSearch[Key] | undefined }>;
    };

const read = (text: string, nowMs: number): number | undefined | 'fault' =>
  text.trim() === '' ? undefined : (parseTime(text, nowMs) ?? 'fault');

/** Parses the typed times into a change of the address, or returns the invalid field. */
export const readRange = ({ start, end }: RangeValues, nowMs: number): RangeRead => {
  const from = read(start, nowMs);
  const to = read(end, nowMs);
  if (from === 'fault') return { fault: 'start' };
  if (to === 'fault') return { fault: 'end' };
  if (from !== undefined && to !== undefined && to < from) return { fault: 'order' };
  return { bounds: { start_timestamp: from, end_timestamp: to } };
};
