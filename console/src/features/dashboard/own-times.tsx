import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { DateTimeInput } from '../../components/date-time-input.tsx';
import { Field } from '../../components/field.tsx';
import { formatTime } from '../../lib/format.ts';
import { parseTime } from '../../lib/parse-time.ts';
import type { Patch } from '../../lib/use-search-state.ts';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { DashboardSearch } from './dashboard-search.ts';

interface OwnTimesProps {
  readonly search: DashboardSearch;
  readonly patch: Patch<DashboardSearch>;
}

const shown = (unixSeconds: number | undefined): string => (unixSeconds === undefined ? '' : formatTime(unixSeconds));

type Fault = 'start' | 'end' | 'order';

/** Both ends of the range on screen; no end is now. */
export const OwnTimes = (props: OwnTimesProps) => <Times key={`${props.search.from} ${props.search.to}`} {...props} />;

const Times = ({ search, patch }: OwnTimesProps) => {
  const t = useT();
  const [start, setStart] = useState(() => shown(search.from));
  const [end, setEnd] = useState(() => shown(search.to));
  const [fault, setFault] = useState<Fault>();
  const apply = (): void => {
    const from = parseTime(start, Date.now());
    const to = end.trim() === '' ? undefined : parseTime(end, Date.now());
    const wrongEnd = end.trim() !== '' && to === undefined;
    const disordered = from !== undefined && to !== undefined && to < from;
    const found = from === undefined ? 'start' : wrongEnd ? 'end' : disordered ? 'order' : undefined;
    setFault(found);
    if (found === undefined) patch({ range: undefined, from, to });
  };
  const endError = fault === 'order' ? t(m.log_order_error) : fault === 'end' ? t(m.log_time_error) : undefined;
  return (
    <form
      noValidate
      className="mb-3 flex flex-wrap items-end gap-3 rounded-card border border-line bg-panel p-4"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Field label={t(m.log_start)} error={fault === 'start' ? t(m.log_time_error) : undefined}>
        {(control) => <DateTimeInput {...control} value={start} placeholder={t(m.log_time_hint)} onChange={setStart} />}
      </Field>
      <Field label={t(m.log_end)} error={endError}>
        {(control) => <DateTimeInput {...control} value={end} placeholder={t(m.log_time_hint)} onChange={setEnd} />}
      </Field>
      <Button type="submit" look="primary">
        {t(m.dash_apply)}
      </Button>
      <p className="w-full text-12 text-mute">
        {t(m.dash_zone, { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
      </p>
    </form>
  );
};
