import { useQuery } from '@tanstack/react-query';
import type { User } from '@weir/contract/users';
import { Suspense, lazy, useMemo } from 'react';
import { Chips } from '../../components/form/chips.tsx';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { QuotaInput } from '../../components/form/quota-input.tsx';
import { formatQuota } from '../../lib/format/format.ts';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { amountError } from '../../lib/amount-error.ts';
import { m } from '../../paraglide/messages.js';
import { NameFields } from './name-fields.tsx';
import { PasswordField } from './password-field.tsx';
import { groupsQuery } from './queries.ts';
import type { UserProblem, UserValues } from './user-values.ts';

// Larger than the rest of the form together.
const Combobox = lazy(async () => ({ default: (await import('../../components/form/combobox.tsx')).Combobox }));

interface UserFieldsProps {
  readonly values: UserValues;
  readonly loaded: User;
  readonly problem: UserProblem | undefined;
  readonly onChange: (changes: Partial<UserValues>) => void;
}

/** The fields of an account that an administrator can change. */
export const UserFields = (props: UserFieldsProps) => {
  const t = useT();
  const { values, problem, onChange } = props;
  return (
    <>
      <NameFields
        values={values}
        error={problem === 'username' ? t(m.user_username_empty) : undefined}
        onChange={onChange}
      />
      <PasswordField
        value={values.password}
        hint={t(m.user_password_keep)}
        error={problem === 'password' ? t(m.user_password_short) : undefined}
        onChange={(password) => onChange({ password })}
      />
      <GroupField {...props} />
      <QuotaField {...props} />
    </>
  );
};

const GroupField = ({ values, onChange }: UserFieldsProps) => {
  const t = useT();
  const { data } = useQuery(groupsQuery);
  const groups = useMemo(() => {
    // The account may be in a group that the settings no longer list.
    const names = new Set([...(data?.includes(values.group) ? [] : [values.group]), ...(data ?? [])]);
    return [{ value: t(m.user_groups), items: [...names].map((name) => ({ value: name, label: name })) }];
  }, [t, data, values.group]);
  return (
    <Field
      label={t(m.user_group)}
      hint={
        <>
          {t(m.user_group_hint)}{' '}
          <a className="text-brand underline underline-offset-2" href="/setting?tab=operation">
            {t(m.user_group_settings)}
          </a>
        </>
      }
    >
      {(control) => (
        <Suspense fallback={<Input {...control} readOnly value={values.group} />}>
          <Combobox
            {...control}
            groups={groups}
            value={{ value: values.group, label: values.group }}
            onPick={({ value }) => onChange({ group: value })}
          />
        </Suspense>
      )}
    </Field>
  );
};

const quickDollars = [1, 5, 10] as const;

const QuotaField = ({ values, loaded, problem, onChange }: UserFieldsProps) => {
  const t = useT();
  const display = useQuotaDisplay();
  const difference = values.quota - loaded.quota;
  const amount = formatQuota(Math.abs(difference), display);
  const hint = difference > 0 ? t(m.user_quota_more, { amount }) : t(m.user_quota_less, { amount });
  const add = (dollars: number): void => {
    const base = Number.isNaN(values.quota) ? loaded.quota : values.quota;
    onChange({ quota: base + Math.round(dollars * display.perUnit) });
  };
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t(m.user_quota)}
        error={problem === 'quota' ? amountError(t, values.quota, 0) : undefined}
        hint={difference === 0 || Number.isNaN(difference) ? t(m.user_quota_same) : hint}
      >
        {(control) => <QuotaInput {...control} quota={values.quota} onChange={(quota) => onChange({ quota })} />}
      </Field>
      <Chips
        label={t(m.user_quota_add)}
        choices={quickDollars.map((dollars) => ({ text: `+$${dollars}`, pick: () => add(dollars) }))}
      />
    </div>
  );
};
