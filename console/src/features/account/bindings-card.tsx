import { bindWechat } from '@weir/contract/identities';
import type { OauthProvider } from '@weir/contract/identities';
import type { User } from '@weir/contract/users';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { call } from '../../lib/api/call.ts';
import { offeredProviders } from '../../lib/browser/external-providers.ts';
import { leaveFor } from '../../lib/browser/leave-for.ts';
import { selfQuery } from '../../lib/api/self.ts';
import { useStatus } from '../../lib/api/status.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AccountCard } from './account-card.tsx';

const WechatDialog = lazy(async () => ({
  default: (await import('../../components/identity/wechat-dialog.tsx')).WechatDialog,
}));

const EmailDialog = lazy(async () => ({ default: (await import('./email-dialog.tsx')).EmailDialog }));

interface BindingRowProps {
  readonly name: string;
  readonly value: string;
  /** Absent: the gateway does not offer it at the moment. */
  readonly onBind?: () => void;
  readonly busy?: boolean;
}

const BindingRow = ({ name, value, onBind, busy = false }: BindingRowProps) => {
  const t = useT();
  const isBound = value !== '';
  return (
    <li className="flex min-h-11 items-center gap-3 border-t border-line py-2 first:border-t-0">
      <span className="w-28 shrink-0 font-medium max-md:w-20">{name}</span>
      <span className={`min-w-0 flex-1 wrap-anywhere ${isBound ? '' : 'text-mute'}`}>
        {isBound ? value : t(m.personal_unbound)}
      </span>
      {onBind && (
        <Button
          busy={busy}
          aria-label={t(isBound ? m.personal_change_named : m.personal_bind_named, { name })}
          onClick={onBind}
        >
          {t(isBound ? m.personal_change : m.personal_bind)}
        </Button>
      )}
    </li>
  );
};

const providerTexts = { github: m.personal_github, oidc: m.personal_oidc, lark: m.personal_lark } as const;
const members = { github: 'github_id', oidc: 'oidc_id', lark: 'lark_id' } as const;
const allProviders: readonly OauthProvider[] = ['github', 'oidc', 'lark'];

type DialogName = 'wechat' | 'email';

interface BindingDialogProps {
  readonly dialog: DialogName | undefined;
  readonly onClose: () => void;
}

/** Requests the code that verifies the account to bind. */
const BindingDialog = ({ dialog, onClose }: BindingDialogProps) => {
  const t = useT();
  const client = useQueryClient();
  const finish = (): void => {
    onClose();
    void client.invalidateQueries({ queryKey: selfQuery.queryKey });
  };
  const bindCode = async (code: string): Promise<void> => {
    await call(bindWechat, { query: { code } });
    toast('success', m.personal_wechat_bound());
    finish();
  };
  return (
    <Suspense>
      {dialog === 'wechat' && (
        <WechatDialog title={t(m.wechat_bind_title)} verb={t(m.personal_bind)} onCode={bindCode} onClose={onClose} />
      )}
      {dialog === 'email' && <EmailDialog onBound={finish} onClose={onClose} />}
    </Suspense>
  );
};

/** External accounts and the e-mail address: what is bound, and ways to bind what the gateway offers. */
export const BindingsCard = ({ account }: { readonly account: User }) => {
  const t = useT();
  const status = useStatus();
  const offered = offeredProviders(status);
  const [leaving, setLeaving] = useState<OauthProvider>();
  const [dialog, setDialog] = useState<DialogName>();
  const leave = async (provider: OauthProvider): Promise<void> => {
    setLeaving(provider);
    try {
      await leaveFor(provider);
    } catch (error) {
      toastFailure(error);
      setLeaving(undefined);
    }
  };
  const shown = allProviders.filter((provider) => offered.includes(provider) || account[members[provider]] !== '');
  return (
    <AccountCard title={t(m.personal_bindings)} text={t(m.personal_bindings_hint)}>
      <ul>
        {shown.map((provider) => (
          <BindingRow
            key={provider}
            name={t(providerTexts[provider])}
            value={account[members[provider]]}
            busy={leaving === provider}
            {...(offered.includes(provider) ? { onBind: () => void leave(provider) } : {})}
          />
        ))}
        {(status.wechat_login || account.wechat_id !== '') && (
          <BindingRow
            name={t(m.personal_wechat)}
            value={account.wechat_id}
            {...(status.wechat_login ? { onBind: () => setDialog('wechat') } : {})}
          />
        )}
        <BindingRow name={t(m.personal_email)} value={account.email} onBind={() => setDialog('email')} />
      </ul>
      <BindingDialog dialog={dialog} onClose={() => setDialog(undefined)} />
    </AccountCard>
  );
};
