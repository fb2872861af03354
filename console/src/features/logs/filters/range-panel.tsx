import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Popover } from '../../../components/overlay/popover.tsx';
import { TimeFields, writtenTime } from '../../../components/form/time-fields.tsx';
import type { TimesFault } from '../../../components/form/time-fields.tsx';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { pickPreset, presetIds, rangeOf } from './log-range.ts';
import type { LogsSearch } from './logs-search.ts';
import { presetLabels } from './range-text.ts';
import { readRange } from './range-values.ts';

interface RangePanelProps {
  readonly anchor: HTMLElement;
  readonly search: LogsSearch;
  readonly patch: Patch<LogsSearch>;
  readonly onClose: () => void;
}

/** Predefined ranges on the left, custom times on the right. */
export const RangePanel = (props: RangePanelProps) => {
  const t = useT();
  const { anchor, search, patch, onClose } = props;
  const current = rangeOf(search);
  return (
    <Popover anchor={anchor} label={anchor.textContent} onClose={onClose}>
      <div className="flex w-120 max-w-full max-phone:flex-col">
        <ul className="flex min-w-40 flex-col border-line p-1.5 max-phone:border-b phone:border-r">
          {presetIds.map((preset) => (
            <li key={preset}>
              <button
                type="button"
                aria-current={preset === current}
                className="flex min-h-8 w-full items-center justify-between gap-3 rounded-control px-2 text-left hover:bg-raised aria-[current=true]:font-medium pointer-coarse:min-h-11"
                onClick={() => {
                  patch({ ...pickPreset(preset), p: undefined });
                  onClose();
                }}
              >
                {t(presetLabels[preset])}
                {preset === current && <Icon name="check" className="size-4 text-brand" />}
              </button>
            </li>
          ))}
        </ul>
        <OwnTimes {...props} />
      </div>
    </Popover>
  );
};

const OwnTimes = ({ search, patch, onClose }: RangePanelProps) => {
  const t = useT();
  const [start, setStart] = useState(() => writtenTime(search.start_timestamp));
  const [end, setEnd] = useState(() => writtenTime(search.end_timestamp));
  const [fault, setFault] = useState<TimesFault>();
  const apply = (): void => {
    const range = readRange({ start, end }, Date.now());
    setFault(range.fault);
    if (range.fault !== undefined) return;
    patch({ range: start === '' && end === '' ? 'all' : undefined, ...range.bounds, p: undefined });
    onClose();
  };
  return (
    <form
      noValidate
      className="flex min-w-0 flex-1 flex-col gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TimeFields start={start} end={end} fault={fault} onStart={setStart} onEnd={setEnd} />
      <p className="text-12 text-mute">
        {t(m.log_time_zone, { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
      </p>
      <Button type="submit" look="primary" className="mt-auto self-end">
        {t(m.log_apply)}
      </Button>
    </form>
  );
};
