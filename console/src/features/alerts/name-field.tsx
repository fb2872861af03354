import { alertNameMax } from '@weir/contract/alerts/alerts';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

interface NameFieldProps {
  readonly name: string;
  /** The form was submitted: an empty name shows as wrong. */
  readonly checked: boolean;
  readonly onChange: (name: string) => void;
}

/** The name of a rule or a destination. */
export const NameField = ({ name, checked, onChange }: NameFieldProps) => {
  const t = useT();
  return (
    <Field label={t(m.alert_name)} error={checked && name.trim() === '' ? t(m.alert_name_empty) : undefined}>
      {(control) => (
        <Input
          {...control}
          maxLength={alertNameMax}
          autoComplete="off"
          value={name}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
};
