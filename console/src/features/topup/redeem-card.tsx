import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/form/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { Input } from '../../components/form/input.tsx';
import { focusOnMount } from '../../lib/hooks/focus-on-mount.ts';
import { formatQuota } from '../../lib/format/format.ts';
import { CallError } from '../../lib/api/call-error.ts';
import { currentStatus, useQuotaDisplay } from '../../lib/api/status.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { redeemCode } from './queries.ts';
import type { Redeemed } from './queries.ts';

/** No answer at all is an exception (specification §8); messages of the server are shown unchanged. */
const tell = (error: unknown): void => {
  if (error instanceof CallError && error.kind !== 'unreachable') toastFailure(error);
  else toast('error', m.topup_failed());
};

const openShop = (): void => {
  const { top_up_link: link } = currentStatus();
  if (link) window.open(link, '_blank', 'noopener');
  else toast('error', m.topup_no_link());
};

const useRedeeming = () => {
  const client = useQueryClient();
  const display = useQuotaDisplay();
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<readonly Redeemed[]>([]);
  const redeem = async (): Promise<void> => {
    const key = code.trim();
    if (busy) return;
    if (key === '') {
      toast('warning', m.topup_empty());
      return;
    }
    setBusy(true);
    try {
      const redeemed = await redeemCode(client, key);
      toast('success', m.topup_done({ amount: formatQuota(redeemed.added, display) }));
      setDone((before) => [redeemed, ...before]);
      setCode('');
    } catch (error) {
      tell(error);
    } finally {
      setBusy(false);
    }
  };
  return { code, setCode, busy, done, redeem: () => void redeem() };
};

/** Redeems a code, and shows the credited amount. */
export const RedeemCard = () => {
  const t = useT();
  const { code, setCode, busy, done, redeem } = useRedeeming();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    redeem();
  };
  return (
    <section className="flex flex-col gap-4 rounded-card border border-line bg-panel p-5">
      <h2 className="font-semibold">{t(m.topup_redeem_title)}</h2>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t(m.topup_code)}>
          {(control) => (
            <Input
              {...control}
              ref={focusOnMount}
              value={code}
              spellCheck={false}
              autoComplete="off"
              autoCapitalize="off"
              className="font-mono"
              onChange={(event) => setCode(event.target.value.trim())}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" sends look="primary" busy={busy}>
            {t(m.topup_redeem)}
          </Button>
          <Button icon="external" onClick={openShop}>
            {t(m.topup_get)}
          </Button>
        </div>
      </form>
      <Results done={done} />
    </section>
  );
};

/** The codes redeemed since this page was opened, newest first. */
const Results = ({ done }: { readonly done: readonly Redeemed[] }) => {
  const t = useT();
  const display = useQuotaDisplay();
  return (
    <div role="status" aria-label={t(m.topup_recent)} className="flex flex-col gap-2 empty:hidden">
      {done.map(({ added, balance }, index) => (
        <p key={done.length - index} className="flex items-center gap-2 text-13 tabular-nums">
          <Icon name="check" className="size-4 text-ok" />
          {t(m.topup_result, {
            amount: formatQuota(added, display),
            balance: balance === undefined ? '—' : formatQuota(balance, display),
          })}
        </p>
      ))}
    </div>
  );
};
