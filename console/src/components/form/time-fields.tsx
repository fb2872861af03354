import { formatTime } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { DateTimeInput } from './date-time-input.tsx';
import { Field } from './field.tsx';

/** What is wrong with two written times: one of them, or that the end comes first. */
export type TimesFault = 'start' | 'end' | 'order';

/** A time as it is written into these fields; none is nothing. */
export const writtenTime = (unixSeconds: number | undefined): string =>
  unixSeconds === undefined ? '' : formatTime(unixSeconds);

interface TimeFieldsProps {
  readonly start: string;
  readonly end: string;
  readonly fault: TimesFault | undefined;
  readonly onStart: (text: string) => void;
  readonly onEnd: (text: string) => void;
}

/** The two ends of a range of time. */
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
