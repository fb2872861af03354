import { signInByWechat } from '@weir/contract/identities';
import type { OauthProvider } from '@weir/contract/identities';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { call } from '../../lib/api/call.ts';
import { offeredProviders } from '../../lib/browser/external-providers.ts';
import { leaveFor } from '../../lib/browser/leave-for.ts';
import { storeUser } from '../../lib/api/session.ts';
import { useStatus, useStatusKnown } from '../../lib/api/status.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

const WechatDialog = lazy(async () => ({
  default: (await import('../../components/identity/wechat-dialog.tsx')).WechatDialog,
}));

interface ExternalLoginsProps {
  readonly openApp: (path: string) => Promise<void>;
  /** No form stands above them. */
  readonly alone?: true;
}

const providerTexts = { github: m.external_github, oidc: m.external_oidc, lark: m.external_lark } as const;

/** Landing pages after a sign-in with the chat app, and with another provider (specification §2). */
const externalLanding = '/';

/**
 * The ways to sign in without a password. The status of the last visit only reserves their space: they appear after the
 * gateway has reported its current ways.
 */
export const ExternalLogins = ({ openApp, alone }: ExternalLoginsProps) => {
  const t = useT();
  const status = useStatus();
  const known = useStatusKnown();
  const [leaving, setLeaving] = useState<OauthProvider>();
  const [dialogOpen, setDialogOpen] = useState(false);
  const providers = offeredProviders(status);
  if (providers.length === 0 && !status.wechat_login) return null;
  const leave = async (provider: OauthProvider): Promise<void> => {
    setLeaving(provider);
    try {
      await leaveFor(provider);
    } catch (error) {
      toastFailure(error);
      setLeaving(undefined);
    }
  };
  const enter = async (code: string): Promise<void> => {
    storeUser(await call(signInByWechat, { query: { code } }));
    await openApp(externalLanding);
    toast('success', m.login_success());
  };
  const size = 'h-9 px-3 pointer-coarse:h-11';
  return (
    <div className={`mt-5 flex flex-col gap-2.5 ${known ? '' : 'invisible'}`}>
      {!alone && (
        <div className="flex items-center gap-3 text-12 text-mute before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {t(m.external_or)}
        </div>
      )}
      {providers.map((provider) => (
        <Button sends key={provider} size={size} busy={leaving === provider} onClick={() => void leave(provider)}>
          {t(providerTexts[provider])}
        </Button>
      ))}
      {status.wechat_login && (
        <Button size={size} onClick={() => setDialogOpen(true)}>
          {t(m.external_wechat)}
        </Button>
      )}
      {dialogOpen && (
        <Suspense>
          <WechatDialog
            title={t(m.wechat_title)}
            verb={t(m.sign_in)}
            onCode={enter}
            onClose={() => setDialogOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
};
