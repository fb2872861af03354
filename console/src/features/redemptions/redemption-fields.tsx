import { redemptionNameMax } from '@weir/contract/redemptions';
import { Chips } from '../../components/form/chips.tsx';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { QuotaInput } from '../../components/form/quota-input.tsx';
import { focusOnMount } from '../../lib/hooks/focus-on-mount.ts';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { amountError } from '../../lib/amount-error.ts';
import { m } from '../../paraglide/messages.js';
import type { RedemptionProblem, RedemptionValues } from './redemption-values.ts';

interface RedemptionFieldsProps {
  readonly values: Pick<RedemptionValues, 'name' | 'quota'>;
  readonly problem: RedemptionProblem | undefined;
  readonly onChange: (changes: { readonly name?: string; readonly quota?: number }) => void;
  /** A used code keeps its quota. */
  readonly used?: boolean;
}

const quickDollars = [1, 2, 5, 10, 50] as const;

/** The name and the value of a code. */
export const RedemptionFields = ({ values, problem, onChange, used = false }: RedemptionFieldsProps) => {
  const t = useT();
  const { perUnit } = useQuotaDisplay();
  return (
    <>
      <Field
        label={t(m.redemption_name)}
        hint={t(m.redemption_name_hint)}
        error={problem === 'name' ? t(m.redemption_name_empty) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            ref={focusOnMount}
            value={values.name}
            maxLength={redemptionNameMax}
            autoComplete="off"
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="flex flex-col gap-2">
        <Field
          label={t(m.redemption_quota)}
          hint={used ? t(m.redemption_quota_used) : undefined}
          error={problem === 'quota' ? amountError(t, values.quota, 1) : undefined}
        >
          {(control) =>
            used ? (
              <Input {...control} readOnly value={values.quota} />
            ) : (
              <QuotaInput {...control} quota={values.quota} onChange={(quota) => onChange({ quota })} />
            )
          }
        </Field>
        {!used && (
          <Chips
            label={t(m.redemption_quota)}
            choices={quickDollars.map((dollars) => ({
              text: `$${dollars}`,
              pressed: values.quota === Math.round(dollars * perUnit),
              pick: () => onChange({ quota: Math.round(dollars * perUnit) }),
            }))}
          />
        )}
      </div>
    </>
  );
};
