import { useQuery, useQueryClient } from '@tanstack/react-query';
import { budgetPeriods, budgetScopes } from '@weir/contract/limits/budget-rules';
import type { Budget } from '@weir/contract/limits/budgets';
import { can } from '@weir/contract/roles';
import { useState } from 'react';
import { useParams } from 'wouter';
import { Failure } from '../../components/failure.tsx';
import { Field } from '../../components/form/field.tsx';
import { FormButtons } from '../../components/form/form-buttons.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { Input } from '../../components/form/input.tsx';
import { QuotaInput } from '../../components/form/quota-input.tsx';
import { Select } from '../../components/form/select.tsx';
import { Switch } from '../../components/form/switch.tsx';
import { budgetPeriodTexts } from '../../components/limits/limit-texts.ts';
import { useSave } from '../../components/form/use-save.ts';
import { ZoneSelect } from '../../components/form/zone-select.tsx';
import { currentUser } from '../../lib/api/session.ts';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { useOpened } from '../../lib/hooks/use-opened.ts';
import { useSearchPart } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { toast } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { scopeTexts } from './budget-texts.ts';
import { fieldsOf, isAmountWrong, isSubjectWrong, newBudget, valuesOf } from './budget-values.ts';
import type { BudgetValues } from './budget-values.ts';
import { budgetsSearch } from './budgets-search.ts';
import { budgetQuery, saveBudget } from './queries.ts';

/** `/budget/add` and `/budget/edit/{id}`. */
export const BudgetFormScreen = () => {
  const { id }: { id?: string } = useParams();
  return id === undefined ? <BudgetForm /> : <LoadedForm key={id} id={Number(id)} />;
};

const LoadedForm = ({ id }: { readonly id: number }) => {
  const t = useT();
  const { error, refetch, ...loading } = useQuery(budgetQuery(id));
  const budget = useOpened(loading);
  if (budget) return <BudgetForm budget={budget} />;
  return (
    <FormFrame title={t(m.budget_edit_title)} footer={null}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={4} />}
    </FormFrame>
  );
};

const BudgetForm = ({ budget }: { readonly budget?: Budget }) => {
  const t = useT();
  const client = useQueryClient();
  const search = useSearchPart(budgetsSearch);
  const [initial] = useState(() => (budget === undefined ? newBudget(search) : valuesOf(budget)));
  const [values, setValues] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const { busy, save } = useSave({ values, initial });
  const submit = (): void => {
    setChecked(true);
    if (isAmountWrong(values) || isSubjectWrong(values)) {
      focusFirstInvalid();
      return;
    }
    save(async () => {
      await saveBudget(client, budget?.id, fieldsOf(values));
      toast('success', budget === undefined ? m.budget_created() : m.budget_updated());
      await navigate('/budget', { ignoreGuards: true });
    });
  };
  return (
    <FormFrame
      title={t(budget === undefined ? m.budget_new_title : m.budget_edit_title)}
      onSubmit={submit}
      footer={<FormButtons cancelPath="/budget" verb={t(budget === undefined ? m.create : m.save)} busy={busy} />}
    >
      <BudgetFields
        values={values}
        isNew={budget === undefined}
        isChecked={isChecked}
        onChange={(changes) => setValues({ ...values, ...changes })}
      />
    </FormFrame>
  );
};

interface BudgetFieldsProps {
  readonly values: BudgetValues;
  /** What it is of, and its period, can be chosen. */
  readonly isNew: boolean;
  /** Wrong values are shown as such. */
  readonly isChecked: boolean;
  readonly onChange: (changes: Partial<BudgetValues>) => void;
}

const BudgetFields = (props: BudgetFieldsProps) => {
  const t = useT();
  const { values, isNew, isChecked, onChange } = props;
  const { scope, period, zone, amount, rollover, hard } = values;
  return (
    <>
      {/* Users have budgets of tokens, and of teams that they manage, from where the form is opened. */}
      {(can(currentUser()?.role, 'admin') || scope !== 'token') && (
        <Field label={t(m.budget_scope)}>
          {(control) => (
            <Select
              {...control}
              value={scope}
              disabled={!isNew}
              choices={budgetScopes.map((each) => [each, t(scopeTexts[each])] as const)}
              onPick={(picked) => onChange({ scope: picked, subject: '' })}
            />
          )}
        </Field>
      )}
      <SubjectField {...props} />
      <Field
        label={t(m.budget_amount)}
        error={isChecked && isAmountWrong(values) ? t(m.budget_amount_error) : undefined}
      >
        {(control) => <QuotaInput {...control} quota={amount} onChange={(typed) => onChange({ amount: typed })} />}
      </Field>
      <div className="grid gap-5 md:grid-cols-2">
        <Field label={t(m.budget_period)}>
          {(control) => (
            <Select
              {...control}
              value={period}
              disabled={!isNew}
              choices={budgetPeriods.map((each) => [each, t(budgetPeriodTexts[each])] as const)}
              onPick={(picked) => onChange({ period: picked })}
            />
          )}
        </Field>
        <ZoneSelect
          label={t(m.budget_zone)}
          zone={zone}
          disabled={!isNew}
          onPick={(picked) => onChange({ zone: picked })}
        />
      </div>
      <Switch label={t(m.budget_hard)} hint={t(m.budget_hard_hint)} on={hard} onFlip={(on) => onChange({ hard: on })} />
      <Switch
        label={t(m.budget_rollover)}
        hint={t(m.budget_rollover_hint)}
        on={rollover}
        onFlip={(on) => onChange({ rollover: on })}
      />
    </>
  );
};

const subjectLabels = {
  token: m.budget_token_id,
  user: m.budget_user_id,
  model: m.budget_scope_model,
  member: m.budget_member_id,
} as const;

/** The name of a model, or the ID of a token, a user or a member. */
const SubjectField = ({ values, isNew, isChecked, onChange }: BudgetFieldsProps) => {
  const t = useT();
  const { scope, subject, model } = values;
  const isModel = scope === 'model';
  return (
    <Field
      label={t(subjectLabels[scope])}
      hint={t(isModel ? m.budget_model_hint : m.budget_id_hint)}
      error={isChecked && isSubjectWrong(values) ? t(isModel ? m.budget_model_error : m.budget_id_error) : undefined}
    >
      {(control) => (
        <Input
          {...control}
          value={isModel ? model : subject}
          maxLength={isModel ? 200 : 16}
          inputMode={isModel ? 'text' : 'numeric'}
          disabled={!isNew}
          autoComplete="off"
          onChange={({ target }) => onChange(isModel ? { model: target.value } : { subject: target.value })}
        />
      )}
    </Field>
  );
};
