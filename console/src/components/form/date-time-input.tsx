import { useRef } from 'react';
import { formatTime } from '../../lib/format/format.ts';
import { parseTime } from '../../lib/format/parse-time.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { ControlProps } from './field.tsx';
import { Icon } from '../icon.tsx';
import { Input } from './input.tsx';

interface DateTimeInputProps extends ControlProps {
  /** As typed: `2026-03-01 18:00`, `+7d`, `now`, or empty. */
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
}

/** The format of the browser's picker: `2026-03-01T18:00:00`, local. */
const forPicker = (value: string): string => {
  const at = parseTime(value, Date.now());
  return at === undefined ? '' : formatTime(at).replace(' ', 'T');
};

/** A time that can be typed, or picked with the browser's calendar. */
export const DateTimeInput = ({ value, placeholder, onChange, ...control }: DateTimeInputProps) => {
  const t = useT();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className="relative">
      <Input
        {...control}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        className="pr-10 tabular-nums"
        onChange={(event) => onChange(event.target.value)}
      />
      <input
        ref={picker}
        type="datetime-local"
        step="1"
        tabIndex={-1}
        aria-hidden="true"
        value={forPicker(value)}
        onChange={(event) => onChange(event.target.value.replace('T', ' '))}
        className="pointer-events-none absolute right-0 bottom-0 size-8 opacity-0"
      />
      <button
        type="button"
        aria-label={t(m.pick_time)}
        data-tip={t(m.pick_time)}
        className="absolute inset-y-0 right-0 inline-flex w-9 items-center justify-center rounded-control text-mute hover:text-ink"
        onClick={() => picker.current?.showPicker()}
      >
        <Icon name="calendar" />
      </button>
    </div>
  );
};
