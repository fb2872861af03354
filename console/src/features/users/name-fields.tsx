import { displayNameMax, usernameMax } from '@weir/contract/users';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

interface Names {
  readonly username: string;
  readonly display_name: string;
}

interface NameFieldsProps {
  readonly values: Names;
  readonly error?: string | undefined;
  readonly onChange: (changes: Partial<Names>) => void;
}

/** The user name to sign in with, and the display name. */
export const NameFields = ({ values, error, onChange }: NameFieldsProps) => {
  const t = useT();
  return (
    <>
      <Field label={t(m.user_username)} hint={t(m.user_username_hint)} error={error}>
        {(control) => (
          <Input
            {...control}
            value={values.username}
            maxLength={usernameMax}
            autoComplete="off"
            onChange={(event) => onChange({ username: event.target.value })}
          />
        )}
      </Field>
      <Field label={t(m.user_display_name)} optional={t(m.optional)}>
        {(control) => (
          <Input
            {...control}
            value={values.display_name}
            maxLength={displayNameMax}
            autoComplete="off"
            onChange={(event) => onChange({ display_name: event.target.value })}
          />
        )}
      </Field>
    </>
  );
};
