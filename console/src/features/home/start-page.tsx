import { useQuery } from '@tanstack/react-query';
import { can } from '@weir/contract/roles';
import { useState } from 'react';
import { buttonClass } from '../../components/button.tsx';
import { CodeBlock } from '../../components/text/code-block.tsx';
import { CopyField } from '../../components/text/copy-field.tsx';
import { Icon } from '../../components/icon.tsx';
import { Time } from '../../components/text/time.tsx';
import { ViewTabs } from '../../components/view-tabs.tsx';
import { trimSlash } from '../../lib/format/format.ts';
import { hasCapabilities } from '../../lib/api/capabilities.ts';
import { useUser } from '../../lib/api/session.ts';
import { firstModel } from '../../lib/first-model.ts';
import { curlRequest, javascriptRequest, pythonRequest } from '../../lib/snippets.ts';
import { useStatus } from '../../lib/api/status.ts';
import type { KnownStatus } from '../../lib/api/status.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { modelsQuery } from './queries.ts';

/** Default start page for visitors: the address, a working request, a token. */
export const StartPage = () => {
  const t = useT();
  const user = useUser();
  const status = useStatus();
  const { data: served } = useQuery({ ...modelsQuery, enabled: user !== undefined });
  const needsProvider = served?.length === 0 && can(user?.role, 'admin');
  const address = trimSlash(status.server_address ?? '') || location.origin;
  return (
    <div className="mx-auto flex w-full max-w-180 flex-col gap-8 pt-6">
      <div>
        <h1 className="text-28 leading-9 font-semibold text-balance">{t(m.home_lead)}</h1>
        <p className="mt-2 max-w-140 text-16 text-mute">{t(m.home_text)}</p>
        <div className="mt-5 flex flex-wrap gap-2">
          {user ? (
            <>
              {needsProvider ? (
                <a className={buttonClass('primary')} href={hasCapabilities(status) ? '/dashboard' : '/channel/add'}>
                  <Icon name="plus" />
                  {t(m.dash_first_provider)}
                </a>
              ) : (
                <a className={buttonClass('primary')} href="/token/add">
                  <Icon name="plus" />
                  {t(m.home_create_key)}
                </a>
              )}
              {hasCapabilities(status) && (
                <a className={buttonClass('plain')} href="/pricing">
                  {t(m.home_see_models)}
                </a>
              )}
              <a className={buttonClass('plain')} href="/log">
                {t(m.home_see_logs)}
              </a>
            </>
          ) : (
            <a className={buttonClass('primary')} href="/login">
              {t(m.home_sign_in)}
            </a>
          )}
          {!user && hasCapabilities(status) && (
            <a className={buttonClass('plain')} href="/key">
              {t(m.holder_title)}
            </a>
          )}
        </div>
      </div>
      <section className="flex flex-col gap-2">
        <h2 className="font-semibold">{t(m.home_base_url)}</h2>
        <CopyField text={`${address}/v1`} label={t(m.home_base_url)} copyLabel={t(m.home_copy_base_url)} />
      </section>
      <FirstRequest address={address} model={firstModel(served ?? [])} />
      {user && <Facts />}
    </div>
  );
};

const languages = [
  ['curl', 'curl'],
  ['python', 'Python'],
  ['javascript', 'JavaScript'],
] as const;
const snippets = { curl: curlRequest, python: pythonRequest, javascript: javascriptRequest } as const;

interface FirstRequestProps {
  readonly address: string;
  /** Undefined: none is known to be served. */
  readonly model: string | undefined;
}

const FirstRequest = ({ address, model }: FirstRequestProps) => {
  const t = useT();
  const [language, setLanguage] = useState<keyof typeof snippets>('curl');
  return (
    <section className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{t(m.home_first_request)}</h2>
        <ViewTabs label={t(m.home_language)} views={languages} current={language} onPick={setLanguage} />
      </div>
      <CodeBlock
        title={languages.find(([id]) => id === language)?.[1] ?? ''}
        code={snippets[language](address, 'sk-…', model)}
      />
    </section>
  );
};

/** Sign-in methods beyond name and password. */
const featuresOf = (status: KnownStatus): readonly Message[] => [
  ...(status.register_enabled === false ? [] : [m.home_registration]),
  ...(status.email_verification ? [m.home_email_codes] : []),
  ...(status.turnstile_check ? [m.home_human_check] : []),
  ...(status.github_oauth ? [m.home_code_host] : []),
  ...(status.oidc ? [m.home_oidc] : []),
  ...(status.lark_client_id ? [m.home_lark] : []),
  ...(status.wechat_login ? [m.home_wechat] : []),
];

const Facts = () => {
  const t = useT();
  const status = useStatus();
  const { build, version, start_time: startedAt } = status;
  const features = featuresOf(status).map((feature) => t(feature));
  const term = 'text-12 text-mute';
  return (
    <dl className="grid grid-cols-2 gap-4 border-t border-line pt-5 max-md:grid-cols-1">
      <div>
        <dt className={term}>{t(m.home_version)}</dt>
        <dd>{build ?? version}</dd>
      </div>
      {startedAt !== undefined && (
        <div>
          <dt className={term}>{t(m.home_started)}</dt>
          <dd>
            <Time unixSeconds={startedAt} />
          </dd>
        </div>
      )}
      <div className="col-span-full">
        <dt className={term}>{t(m.home_features)}</dt>
        <dd>{features.join(' · ') || t(m.home_none)}</dd>
      </div>
    </dl>
  );
};
