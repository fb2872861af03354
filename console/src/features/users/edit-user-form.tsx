import { useQueryClient } from '@tanstack/react-query';
import type { ManagedUser } from '@weir/contract/users';
import { useState } from 'react';
import { FormButtons } from '../../components/form/form-buttons.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { useSave } from '../../components/form/use-save.ts';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { toast } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { BoundAccounts, UserFacts } from './user-facts.tsx';
import { UserFields } from './user-fields.tsx';
import { update } from './queries.ts';
import { fieldsOf, valuesOf } from './user-values.ts';
import type { UserProblem } from './user-values.ts';

/** Address that Cancel opens (specification §2). */
const cancelPath = '/setting';

export const EditUserForm = ({ user }: { readonly user: ManagedUser }) => {
  const t = useT();
  const client = useQueryClient();
  // As first loaded: a refetch while the form is open must not overwrite what was typed.
  const [loaded] = useState(user);
  const [initial] = useState(() => valuesOf(user));
  const [values, setValues] = useState(initial);
  const [problem, setProblem] = useState<UserProblem>();
  const { busy, save } = useSave({ values, initial });
  const submit = (): void => {
    const fields = fieldsOf(values);
    if (typeof fields === 'string') {
      setProblem(fields);
      focusFirstInvalid();
      return;
    }
    setProblem(undefined);
    save(async () => {
      await update(client, loaded, fields);
      toast('success', m.user_updated());
      await navigate('/user', { keepSearch: true, ignoreGuards: true });
    });
  };
  return (
    <FormFrame
      title={t(m.user_edit_title)}
      onSubmit={submit}
      footer={<FormButtons cancelPath={cancelPath} verb={t(m.save)} busy={busy} />}
    >
      <UserFacts user={loaded} />
      <UserFields
        values={values}
        loaded={loaded}
        problem={problem}
        onChange={(changes) => setValues({ ...values, ...changes })}
      />
      <BoundAccounts user={loaded} />
    </FormFrame>
  );
};
