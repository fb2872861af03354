import { formatTime } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { DateTimeInput } from './date-time-input.tsx';
import { Field } from './field.tsx';

/** Errors of two typed times: an invalid one, or an end before the start. */
export type TimesFault = 'start' | 'end' | 'order';

/** A time as typed in these fields; empty if none. */
export const writtenTime = (unixSeconds: number | undefined): string =>
  unixSeconds === undefined ? '' : formatTime(unixSeconds);

interface TimeFieldsProps {
  readonly start: string;
  readonly end: string;
  readonly fault: TimesFault | undefined;
  readonly onStart: (text: string) => void;
  readonly onEnd: (text: string) => void;
}

/** Start and end of a time range. */
export const TimeFields = ({ start, end, fault, onStart, onEnd }: TimeFieldsProps) => {
  const t = useT();
  const endError = fault === 'order' ? t(m.log_order_error) : fault === 'end' ? t(m.log_time_error) : undefined;
  return (
    <>
      <Field label={t(m.log_start)} error={fault === 'start' ? t(m.log_time_error) : undefined}>
        {(control) => <DateTimeInput {...control} value={start} placeholder={t(m.log_time_hint)} onChange={onStart} />}
      </Field>
      <Field label={t(m.log_end)} error={endError}>
        {(control) => <DateTimeInput {...control} value={end} placeholder={t(m.log_time_hint)} onChange={onEnd} />}
      </Field>
    </>
  );
};
