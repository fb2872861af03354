import { Field } from '../../components/form/field.tsx';
import { PasswordInput } from '../../components/form/password-input.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** No letters or digits that look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 16;
/** Bytes from here on would make some characters more likely than others. */
const fairMax = 256 - (256 % alphabet.length);

/** A random password of 16 characters. */
const makePassword = (): string => {
  let password = '';
  while (password.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fairMax && password.length < length) password += alphabet.charAt(byte % alphabet.length);
    }
  }
  return password;
};

interface PasswordFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly hint?: string;
  readonly onChange: (password: string) => void;
}

/** A password for another user, typed or generated. */
export const PasswordField = ({ value, error, hint, onChange }: PasswordFieldProps) => {
  const t = useT();
  return (
    <Field
      label={t(m.user_password)}
      hint={hint}
      error={error}
      aside={
        <button
          type="button"
          className="min-h-6 rounded-control px-1 text-13 font-medium text-brand underline-offset-2 hover:underline"
          onClick={() => onChange(makePassword())}
        >
          {t(m.user_password_generate)}
        </button>
      }
    >
      {(control) => (
        <PasswordInput
          {...control}
          value={value}
          placeholder={t(m.user_password_hint)}
          autoComplete="new-password"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
};
