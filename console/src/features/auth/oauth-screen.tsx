import { signInByGithub, signInByLark, signInByOidc } from '@weir/contract/identities';
import { useEffect, useState } from 'react';
import { Spinner } from '../../components/spinner.tsx';
import { callWhole } from '../../lib/api/call.ts';
import { failureKind, failureText } from '../../lib/api/failure-text.ts';
import { storeUser } from '../../lib/api/session.ts';
import { toast, toastAfterLoad } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AuthCard } from './auth-card.tsx';
import { finishReturn } from './oauth-return.ts';
import type { Retry, ReturnOutcome } from './oauth-return.ts';

interface OauthScreenProps {
  readonly openApp: (path: string) => Promise<void>;
}

type Callback = typeof signInByGithub | typeof signInByOidc | typeof signInByLark;
const endpoints: Readonly<Record<string, Callback>> = {
  '/oauth/github': signInByGithub,
  '/oauth/oidc': signInByOidc,
  '/oauth/lark': signInByLark,
};

const settingsPath = '/setting';
const homePath = '/';

const conclude = async (outcome: ReturnOutcome, openApp: OauthScreenProps['openApp']): Promise<void> => {
  if (outcome.kind === 'refused') {
    // A visitor without a session is redirected from there to the sign-in, with a full page load.
    toastAfterLoad(failureKind(outcome.error), failureText(outcome.error));
    location.replace(settingsPath);
    return;
  }
  if (outcome.kind === 'bound') {
    await openApp(settingsPath);
    toast('success', m.oauth_bound());
    return;
  }
  storeUser(outcome.user);
  await openApp(homePath);
  toast('success', m.login_success());
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Callback page of an external sign-in: `/oauth/github`, `/oauth/oidc`, `/oauth/lark`. */
export const OauthScreen = ({ openApp }: OauthScreenProps) => {
  const t = useT();
  const [retry, setRetry] = useState<Retry>();
  useEffect(() => {
    const given = new URLSearchParams(location.search);
    const query = { code: given.get('code') ?? '', state: given.get('state') ?? '' };
    const endpoint = endpoints[location.pathname.replace(/(.)\/$/, '$1')] ?? signInByGithub;
    const leaving = new AbortController();
    const { signal } = leaving;
    const ask = () => callWhole(endpoint, { query, signal });
    finishReturn({ ask, signal, onRetry: setRetry, wait }).then(
      (outcome) => conclude(outcome, openApp),
      () => undefined,
    );
    return () => leaving.abort();
  }, [openApp]);
  return (
    <AuthCard title={t(m.oauth_title)}>
      <div className="flex flex-col items-center gap-3 py-2 text-center" role="status">
        <Spinner />
        <p className="first-letter:uppercase">{t(m.oauth_processing)}</p>
        {retry?.error !== undefined && <p className="wrap-anywhere">{failureText(retry.error)}</p>}
        {retry && (
          <p className="text-13 text-mute">
            {t(m.oauth_retry, { attempt: String(retry.attempt), seconds: String(retry.waitMs / 1000) })}
          </p>
        )}
      </div>
      <p className="mt-4 text-center">
        <a className="rounded-control text-13 text-brand underline-offset-2 hover:underline" href="/login">
          {t(m.oauth_cancel)}
        </a>
      </p>
    </AuthCard>
  );
};
