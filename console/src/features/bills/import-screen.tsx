import type { Statement } from '@weir/contract/bills/bills';
import { vendors } from '@weir/contract/catalogue/vendors';
import { Field } from '../../components/form/field.tsx';
import { FormButtons } from '../../components/form/form-buttons.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { Input } from '../../components/form/input.tsx';
import { PasswordInput } from '../../components/form/password-input.tsx';
import { Select } from '../../components/form/select.tsx';
import { ViewTabs } from '../../components/view-tabs.tsx';
import { useLanguage } from '../../lib/browser/locale.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { vendorChoices, vendorName } from './bill-rows.ts';
import { StatementList } from './statement-list.tsx';
import { StatementPreview } from './statement-preview.tsx';
import { useImport } from './use-import.ts';
import type { ImportValues } from './use-import.ts';

/** Vendors with an interface for administrators. */
const fetched: readonly number[] = [vendors.openai.id, vendors.anthropic.id];

/** `/bill/import`: a report is read or fetched, shown, and only then stored. */
export const ImportScreen = () => {
  const t = useT();
  const { values, statement, problem, busy, change, open, submit } = useImport();
  const next = values.way === 'file' ? m.bill_read : m.bill_fetch;
  return (
    <FormFrame
      title={t(m.bill_import)}
      onSubmit={submit}
      footer={<FormButtons cancelPath="/bill" verb={t(statement ? m.bill_store : next)} busy={busy} />}
    >
      <ViewTabs
        label={t(m.bill_way)}
        views={[['file', t(m.bill_way_file)] as const, ['fetch', t(m.bill_way_fetch)] as const]}
        current={values.way}
        onPick={(way) =>
          change({ way, key: '', vendor: fetched.find((id) => id === values.vendor) ?? vendors.openai.id })
        }
      />
      <Account values={values} statement={statement} change={change} />
      {values.way === 'file' ? (
        <Field label={t(m.bill_file)} hint={t(m.bill_file_hint)} error={problem}>
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".csv,.tsv,.txt,.json,text/csv,application/json"
              className="min-w-0 text-13 file:mr-3 file:h-8 file:rounded-control file:border file:border-control/60 file:bg-panel file:px-3 file:text-ink pointer-coarse:file:h-11"
              onChange={({ target }) => open(target.files?.[0])}
            />
          )}
        </Field>
      ) : (
        <FetchFields values={values} problem={problem} change={change} />
      )}
      {statement && <StatementPreview statement={statement} />}
      <StatementList />
    </FormFrame>
  );
};

interface PartProps {
  readonly values: ImportValues;
  readonly change: (part: Partial<ImportValues>) => void;
}

const Account = ({ values, statement, change }: PartProps & { readonly statement: Statement | undefined }) => {
  const t = useT();
  const language = useLanguage();
  const offered = values.way === 'fetch' ? fetched : undefined;
  const choices = offered?.map((id) => [String(id), vendorName(id, language)] as const) ?? vendorChoices(language);
  return (
    <>
      <Field label={t(m.bill_vendor)}>
        {(control) => (
          <Select
            {...control}
            value={String(values.vendor)}
            choices={choices}
            disabled={statement !== undefined && statement.vendor > 0}
            onPick={(vendor) => change({ vendor: Number(vendor) })}
          />
        )}
      </Field>
      <Field label={t(m.bill_source)} optional={t(m.bill_optional)} hint={t(m.bill_source_hint)}>
        {(control) => (
          <Input
            {...control}
            maxLength={60}
            value={values.source}
            onChange={({ target }) => change({ source: target.value })}
          />
        )}
      </Field>
    </>
  );
};

const FetchFields = ({ values, problem, change }: PartProps & { readonly problem: string | undefined }) => {
  const t = useT();
  return (
    <>
      <Field label={t(m.bill_key)} hint={t(m.bill_key_hint)} error={problem}>
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="off"
            value={values.key}
            onChange={({ target }) => change({ key: target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        {(['from', 'to'] as const).map((name) => (
          <Field key={name} label={t(name === 'from' ? m.bill_from : m.bill_to)}>
            {(control) => (
              <Input
                {...control}
                type="date"
                value={values[name]}
                onChange={({ target }) => change({ [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    </>
  );
};
