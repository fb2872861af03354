import { useQueryClient } from '@tanstack/react-query';
import { displayNameMax, usernameMax } from '@weir/contract/users';
import { useState } from 'react';
import { Field } from '../../components/form/field.tsx';
import { FormButtons } from '../../components/form/form-buttons.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { Input } from '../../components/form/input.tsx';
import { useSave } from '../../components/form/use-save.ts';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { toast } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { saveNewTeam } from './queries.ts';

const initial = { name: '', displayName: '', manager: '' };

/** `/team/add` */
export const TeamFormScreen = () => {
  const t = useT();
  const client = useQueryClient();
  const [values, setValues] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const { busy, save } = useSave({ values, initial });
  const submit = (): void => {
    setChecked(true);
    if (values.name.trim() === '') {
      focusFirstInvalid();
      return;
    }
    save(async () => {
      const { id } = await saveNewTeam(client, {
        name: values.name.trim(),
        display_name: values.displayName.trim(),
        manager: values.manager.trim(),
      });
      toast('success', m.team_created());
      await navigate(`/team/${id}`, { ignoreGuards: true });
    });
  };
  const change = (changes: Partial<typeof initial>): void => setValues({ ...values, ...changes });
  return (
    <FormFrame
      title={t(m.team_new_title)}
      onSubmit={submit}
      footer={<FormButtons cancelPath="/team" verb={t(m.create)} busy={busy} />}
    >
      <TeamFields values={values} isChecked={isChecked} onChange={change} />
    </FormFrame>
  );
};

interface TeamFieldsProps {
  readonly values: typeof initial;
  /** A missing name is shown as such. */
  readonly isChecked: boolean;
  readonly onChange: (changes: Partial<typeof initial>) => void;
}

const TeamFields = ({ values, isChecked, onChange }: TeamFieldsProps) => {
  const t = useT();
  return (
    <>
      <Field
        label={t(m.team_name)}
        hint={t(m.team_name_hint)}
        error={isChecked && values.name.trim() === '' ? t(m.team_name_error) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            value={values.name}
            maxLength={usernameMax}
            autoComplete="off"
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
      <Field label={t(m.user_display_name)}>
        {(control) => (
          <Input
            {...control}
            value={values.displayName}
            maxLength={displayNameMax}
            autoComplete="off"
            onChange={({ target }) => onChange({ displayName: target.value })}
          />
        )}
      </Field>
      <Field label={t(m.team_first_manager)} hint={t(m.team_first_manager_hint)}>
        {(control) => (
          <Input
            {...control}
            value={values.manager}
            maxLength={256}
            autoComplete="off"
            onChange={({ target }) => onChange({ manager: target.value })}
          />
        )}
      </Field>
    </>
  );
};
