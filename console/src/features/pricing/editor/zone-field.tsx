import { useId } from 'react';
import { Field } from '../../../components/form/field.tsx';
import { Input } from '../../../components/form/input.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

interface ZoneFieldProps {
  readonly label: string;
  readonly value: string;
  readonly wrong: boolean;
  readonly onChange: (zone: string) => void;
}

/** A named time zone, typed or picked. */
export const ZoneField = ({ label, value, wrong, onChange }: ZoneFieldProps) => {
  const t = useT();
  const zones = useId();
  return (
    <Field label={label} error={wrong ? t(m.price_zone_wrong) : undefined}>
      {(control) => (
        <>
          <Input {...control} list={zones} value={value} onChange={({ target }) => onChange(target.value)} />
          <datalist id={zones}>
            {Intl.supportedValuesOf('timeZone').map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
};
