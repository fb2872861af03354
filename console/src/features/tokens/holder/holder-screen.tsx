import { getKeyStanding } from '@weir/contract/limits/key-standing';
import type { KeyStanding } from '@weir/contract/limits/key-standing';
import { neverExpires } from '@weir/contract/tokens';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/form/field.tsx';
import { PasswordInput } from '../../../components/form/password-input.tsx';
import { amountText, budgetPeriodTexts } from '../../../components/limits/limit-texts.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { Nothing, Section } from '../../../components/section.tsx';
import { Badge } from '../../../components/text/badge.tsx';
import { Money } from '../../../components/text/money.tsx';
import { ShareBar } from '../../../components/text/share-bar.tsx';
import { Time } from '../../../components/text/time.tsx';
import { call } from '../../../lib/api/call.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { toastFailure } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { RequestTable } from '../request-table.tsx';
import { statusNow, statusOf } from '../token-status.ts';

/** `/key`: what a key may still do, for its holder, who needs no account. The key is kept nowhere. */
export const HolderScreen = () => {
  const t = useT();
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [standing, setStanding] = useState<KeyStanding>();
  const show = async (): Promise<void> => {
    if (busy || key.trim() === '') return;
    setBusy(true);
    try {
      setStanding(await call(getKeyStanding, { body: { key: key.trim() } }));
    } catch (error) {
      setStanding(undefined);
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="mx-auto flex w-full max-w-180 flex-col gap-5">
      <PageHead title={t(m.holder_title)} />
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void show();
        }}
      >
        <Field label={t(m.holder_key)} hint={t(m.holder_key_hint)}>
          {(control) => (
            <PasswordInput
              {...control}
              maxLength={256}
              autoComplete="off"
              spellCheck={false}
              value={key}
              onChange={({ target }) => setKey(target.value)}
            />
          )}
        </Field>
        <div>
          <Button type="submit" sends look="primary" busy={busy}>
            {t(m.holder_show)}
          </Button>
        </div>
      </form>
      {standing && <Standing standing={standing} />}
    </div>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-12 text-mute">{name}</dt>
    <dd className="wrap-anywhere tabular-nums">{children}</dd>
  </div>
);

const Standing = ({ standing }: { readonly standing: KeyStanding }) => {
  const t = useT();
  const { name, models, calls } = standing;
  const [status, tone] = statusOf(statusNow(standing));
  return (
    <>
      <Section title={name || t(m.holder_key)}>
        <dl className="grid grid-cols-2 gap-3 px-4 py-3 max-md:grid-cols-1">
          <Fact name={t(m.column_status)}>
            <Badge tone={tone}>{t(status)}</Badge>
          </Fact>
          <Fact name={t(m.token_expires)}>
            {standing.expired_time === neverExpires ? t(m.never) : <Time unixSeconds={standing.expired_time} stop />}
          </Fact>
          <Fact name={t(m.token_remaining)}>
            {standing.unlimited_quota ? t(m.unlimited) : <Money quota={standing.remain_quota} stop />}
          </Fact>
          <Fact name={t(m.token_used)}>
            <Money quota={standing.used_quota} stop />
          </Fact>
          {standing.valid_until > 0 && (
            <Fact name={t(m.holder_replaced)}>
              <Time unixSeconds={standing.valid_until} stop />
            </Fact>
          )}
        </dl>
      </Section>
      <Limits standing={standing} />
      <Section title={t(m.token_models)}>
        {models.length === 0 ? (
          <Nothing text={t(m.holder_no_models)} />
        ) : (
          <p className="px-4 py-3 font-mono text-13 wrap-anywhere">{models.join(', ')}</p>
        )}
      </Section>
      <Section title={t(m.holder_calls)}>
        {calls.length === 0 ? <Nothing text={t(m.holder_no_calls)} /> : <RequestTable rows={calls} />}
      </Section>
    </>
  );
};

/** Budgets and rate limits; none are not mentioned. */
const Limits = ({ standing: { budgets, limits } }: { readonly standing: KeyStanding }) => {
  const t = useT();
  if (budgets.length + limits.length === 0) return null;
  return (
    <Section title={t(m.token_limits)}>
      <ul className="divide-y divide-line">
        {budgets.map((budget) => (
          <li key={budget.period} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
            <span>
              {t(m.holder_budget, { period: t(budgetPeriodTexts[budget.period]) })}
              {!budget.hard && <span className="text-mute"> · {t(m.budget_soft)}</span>}
            </span>
            <span className="inline-flex flex-col gap-1">
              <span>
                <Money quota={budget.used + budget.held} stop /> / <Money quota={budget.granted} stop />
              </span>
              <ShareBar used={budget.used + budget.held} of={budget.granted} />
            </span>
            <span className="text-13 text-mute">
              {t(m.budget_renews)}: <Time unixSeconds={budget.period_end} stop />
            </span>
          </li>
        ))}
        {limits.map((limit) => (
          <li key={`${limit.metric} ${limit.period} ${limit.model}`} className="px-4 py-2.5">
            {amountText(limit, t)}
            {limit.model !== '' && <span className="font-mono text-13 text-mute"> {limit.model}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
};
