import { useQuery } from '@tanstack/react-query';
import { neverExpires, tokenNameMax } from '@weir/contract/tokens';
import { Chips } from '../../../components/form/chips.tsx';
import { DateTimeInput } from '../../../components/form/date-time-input.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Input } from '../../../components/form/input.tsx';
import { Notice } from '../../../components/notice.tsx';
import { QuotaInput } from '../../../components/form/quota-input.tsx';
import { MultiSelect } from '../../../components/form/multi-select.tsx';
import { Switch } from '../../../components/form/switch.tsx';
import { Textarea } from '../../../components/form/textarea.tsx';
import { focusOnMount } from '../../../lib/hooks/focus-on-mount.ts';
import { formatQuota, formatTime } from '../../../lib/format/format.ts';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { parseTime } from '../../../lib/format/parse-time.ts';
import { relativeTime } from '../../../lib/format/relative-time.ts';
import { selfQuery } from '../../../lib/api/self.ts';
import { useQuotaDisplay } from '../../../lib/api/status.ts';
import { useNow } from '../../../lib/hooks/use-now.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { modelsQuery } from '../detail/detail-queries.ts';
import type { TokenValues } from './token-values.ts';

export interface TokenErrors {
  readonly name?: string;
  readonly quota?: string;
  readonly expiry?: string;
  readonly subnet?: string;
}

interface TokenFieldsProps {
  readonly values: TokenValues;
  readonly errors: TokenErrors;
  /** The token is another user's: neither the own balance nor the models of the own group say anything of it. */
  readonly foreign?: boolean;
  readonly onChange: (changes: Partial<TokenValues>) => void;
}

/** Fields of a token: its name, quota, expiry, models and networks. */
export const TokenFields = (props: TokenFieldsProps) => {
  const t = useT();
  const { values, errors, onChange } = props;
  return (
    <>
      <Field label={t(m.token_name)} error={errors.name} hint={t(m.token_name_hint)}>
        {(control) => (
          <Input
            {...control}
            ref={focusOnMount}
            value={values.name}
            maxLength={tokenNameMax}
            autoComplete="off"
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <QuotaPart {...props} />
      <ExpiryPart {...props} />
      <UsePart {...props} />
      <BoundNotice foreign={props.foreign === true} />
    </>
  );
};

const quickDollars = [1, 5, 10, 50] as const;

const QuotaPart = ({ values, errors, onChange }: TokenFieldsProps) => {
  const t = useT();
  const { perUnit } = useQuotaDisplay();
  return (
    <div className="flex flex-col gap-2">
      <Field label={t(m.token_quota)} error={errors.quota}>
        {(control) => (
          <QuotaInput
            {...control}
            quota={values.quota}
            disabled={values.unlimited}
            onChange={(quota) => onChange({ quota })}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Chips
          label={t(m.token_quota)}
          disabled={values.unlimited}
          choices={quickDollars.map((dollars) => ({
            text: `$${dollars}`,
            pressed: values.quota === dollars * perUnit,
            pick: () => onChange({ quota: dollars * perUnit }),
          }))}
        />
        <Switch label={t(m.token_unlimited)} on={values.unlimited} onFlip={(unlimited) => onChange({ unlimited })} />
      </div>
    </div>
  );
};

const ExpiryPart = ({ values, errors, onChange }: TokenFieldsProps) => {
  const t = useT();
  const inSeconds = (seconds: number) => () => onChange({ expiry: formatTime(Math.ceil(Date.now() / 1000) + seconds) });
  const presets = [
    { text: t(m.token_never), pressed: values.expiry === '', pick: () => onChange({ expiry: '' }) },
    { text: t(m.token_one_month), pick: inSeconds(30 * 86_400) },
    { text: t(m.token_one_day), pick: inSeconds(86_400) },
    { text: t(m.token_one_hour), pick: inSeconds(3600) },
    { text: t(m.token_one_minute), pick: inSeconds(60) },
  ];
  return (
    <div className="flex flex-col gap-2">
      <Field label={t(m.token_expiry)} error={errors.expiry} hint={<Resolved expiry={values.expiry} />}>
        {(control) => (
          <DateTimeInput
            {...control}
            value={values.expiry}
            placeholder={t(m.token_expiry_placeholder)}
            onChange={(expiry) => onChange({ expiry })}
          />
        )}
      </Field>
      <Chips label={t(m.token_expiry)} choices={presets} />
    </div>
  );
};

/** What a token may be used for, and where from. */
const UsePart = ({ values, errors, foreign = false, onChange }: TokenFieldsProps) => {
  const t = useT();
  const { data: known = [] } = useQuery(modelsQuery);
  return (
    <>
      <Field label={t(m.token_models)} hint={t(m.token_models_hint)}>
        {(control) => (
          <MultiSelect
            {...control}
            known={known}
            chosen={values.models}
            placeholder={t(m.token_models_all)}
            unknownNote={foreign ? '' : t(m.token_model_unknown)}
            onChange={(models) => onChange({ models })}
          />
        )}
      </Field>
      <Field label={t(m.token_subnet)} hint={t(m.token_subnet_hint)} error={errors.subnet}>
        {(control) => (
          <Textarea
            {...control}
            className="min-h-16 font-mono text-13"
            rows={2}
            spellCheck={false}
            value={values.subnet}
            placeholder={t(m.token_subnet_all)}
            onChange={(event) => onChange({ subnet: event.target.value })}
          />
        )}
      </Field>
    </>
  );
};

/** The parsed expiry: the time and its distance from now. */
const Resolved = ({ expiry }: { readonly expiry: string }) => {
  const t = useT();
  const language = useLanguage();
  const now = useNow(1000);
  const at = expiry.trim() === '' ? neverExpires : parseTime(expiry, now);
  if (at === undefined) return null;
  if (at === neverExpires) return t(m.token_expiry_never);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return `${formatTime(at)} (${zone}) · ${relativeTime(at, now / 1000, language)}`;
};

const BoundNotice = ({ foreign }: { readonly foreign: boolean }) => {
  const t = useT();
  const display = useQuotaDisplay();
  const { data } = useQuery(selfQuery);
  return (
    <Notice tone="info">
      {t(m.token_notice)}
      {data && !foreign && ` ${t(m.token_notice_balance, { balance: formatQuota(data.quota, display) })}`}
    </Notice>
  );
};
