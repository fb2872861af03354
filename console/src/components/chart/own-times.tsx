import { useState } from 'react';
import { Button } from '../button.tsx';
import { TimeFields, writtenTime } from '../form/time-fields.tsx';
import type { TimesFault } from '../form/time-fields.tsx';
import { parseTime } from '../../lib/format/parse-time.ts';
import type { Patch } from '../../lib/hooks/use-search-state.ts';
import type { RangeId } from '../../lib/usage-range.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** The search parameters of custom times, both inclusive; they override a range. */
interface TimesSearch {
  readonly range?: RangeId;
  readonly from?: number;
  readonly to?: number;
}

interface OwnTimesProps {
  readonly search: TimesSearch;
  readonly patch: Patch<TimesSearch>;
}

/** Both ends of the current range; an open end is now. */
export const OwnTimes = (props: OwnTimesProps) => <Times key={`${props.search.from} ${props.search.to}`} {...props} />;

const Times = ({ search, patch }: OwnTimesProps) => {
  const t = useT();
  const [start, setStart] = useState(() => writtenTime(search.from));
  const [end, setEnd] = useState(() => writtenTime(search.to));
  const [fault, setFault] = useState<TimesFault>();
  const apply = (): void => {
    const from = parseTime(start, Date.now());
    const to = end.trim() === '' ? undefined : parseTime(end, Date.now());
    const wrongEnd = end.trim() !== '' && to === undefined;
    const disordered = from !== undefined && to !== undefined && to < from;
    const found = from === undefined ? 'start' : wrongEnd ? 'end' : disordered ? 'order' : undefined;
    setFault(found);
    if (found === undefined) patch({ range: undefined, from, to });
  };
  return (
    <form
      noValidate
      className="mb-3 flex flex-wrap items-end gap-3 rounded-card border border-line bg-panel p-4"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TimeFields start={start} end={end} fault={fault} onStart={setStart} onEnd={setEnd} />
      <Button type="submit" look="primary">
        {t(m.dash_apply)}
      </Button>
      <p className="w-full text-12 text-mute">
        {t(m.dash_zone, { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
      </p>
    </form>
  );
};
