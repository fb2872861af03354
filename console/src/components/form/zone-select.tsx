import { Field } from './field.tsx';
import { Select } from './select.tsx';

interface ZoneSelectProps {
  readonly label: string;
  /** IANA name. */
  readonly zone: string;
  readonly disabled?: boolean;
  readonly onPick: (zone: string) => void;
}

/** A choice among the time zones that the browser knows, and the one that is set. */
export const ZoneSelect = ({ label, zone, disabled = false, onPick }: ZoneSelectProps) => (
  <Field label={label}>
    {(control) => (
      <Select
        {...control}
        value={zone}
        disabled={disabled}
        choices={[...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map(
          (each) => [each, each] as const,
        )}
        onPick={onPick}
      />
    )}
  </Field>
);
