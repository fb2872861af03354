import { useState } from 'react';
import { formatQuota } from '../../lib/format/format.ts';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { ControlProps } from './field.tsx';
import { Input } from './input.tsx';

interface QuotaInputProps extends ControlProps {
  /** Quota units as typed; NaN if the text is not a number. */
  readonly quota: number;
  readonly onChange: (quota: number) => void;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
}

const units = ['quota', '$'] as const;
type Unit = (typeof units)[number];

const toText = (quota: number, unit: Unit, perUnit: number): string => {
  if (Number.isNaN(quota)) return '';
  // As many digits as one quota unit needs, so that the text stands for this quota and no other.
  const digits = Math.min(20, Math.max(2, Math.ceil(Math.log10(perUnit))));
  return unit === '$' ? (quota / perUnit).toFixed(digits).replace(/\.?0+$/, '') : String(quota);
};

const toQuota = (text: string, unit: Unit, perUnit: number): number => {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return unit === '$' ? Math.round(number * perUnit) : Number.isInteger(number) ? number : Number.NaN;
};

/**
 * Accepts an amount in quota units or dollars and shows the other; the form always holds quota units. It begins in the
 * unit in which the console shows amounts.
 */
export const QuotaInput = ({ quota, onChange, disabled = false, readOnly = false, ...control }: QuotaInputProps) => {
  const t = useT();
  const { perUnit, inCurrency } = useQuotaDisplay();
  const [unit, setUnit] = useState<Unit>(inCurrency ? '$' : 'quota');
  const [typed, setTyped] = useState({ text: toText(quota, unit, perUnit), quota });
  // The amount was set from outside (a quick button): show it.
  const text = Object.is(typed.quota, quota) ? typed.text : toText(quota, unit, perUnit);
  const pick = (next: Unit): void => {
    setUnit(next);
    setTyped({ text: toText(quota, next, perUnit), quota });
  };
  const type = (next: string): void => {
    const value = toQuota(next, unit, perUnit);
    setTyped({ text: next, quota: value });
    onChange(value);
  };
  const other = formatQuota(quota, { perUnit, inCurrency: unit === 'quota' });
  return (
    <div className="flex gap-2">
      <div className="relative flex-1">
        <Input
          {...control}
          inputMode="decimal"
          disabled={disabled}
          readOnly={readOnly}
          value={disabled ? '∞' : text}
          onChange={(event) => type(event.target.value)}
          className="pr-24 tabular-nums"
        />
        {!disabled && !Number.isNaN(quota) && (
          <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-13 text-mute tabular-nums">
            {unit === 'quota' ? other : t(m.quota_units, { count: String(quota) })}
          </span>
        )}
      </div>
      <div role="group" aria-label={t(m.quota_unit)} className="flex rounded-control border border-control">
        {units.map((each) => (
          <button
            key={each}
            type="button"
            disabled={disabled}
            aria-pressed={each === unit}
            className="min-w-9 rounded-[5px] px-2 text-13 text-mute aria-pressed:bg-off-bg aria-pressed:font-medium aria-pressed:text-ink disabled:opacity-55"
            onClick={() => pick(each)}
          >
            {each === '$' ? '$' : t(m.quota_word)}
          </button>
        ))}
      </div>
    </div>
  );
};
