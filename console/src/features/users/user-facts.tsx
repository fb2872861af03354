import { outranks } from '@weir/contract/roles';
import type { ManagedUser, User } from '@weir/contract/users';
import type { ReactNode } from 'react';
import { Badge } from '../../components/text/badge.tsx';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { Money } from '../../components/text/money.tsx';
import { abbreviate } from '../../lib/format/format.ts';
import { useUser } from '../../lib/api/session.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { rankOf, statusOf } from './user-standing.ts';

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-12 text-mute">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
);

/** Account data that the form does not change. */
export const UserFacts = ({ user }: { readonly user: ManagedUser }) => {
  const t = useT();
  const mine = useUser()?.role ?? 0;
  const [status, tone] = statusOf(user.status);
  return (
    <div className="flex flex-col gap-3 border-b border-line pb-4">
      <dl className="grid grid-cols-3 gap-x-4 gap-y-3">
        <Fact name={t(m.column_id)}>{user.id}</Fact>
        <Fact name={t(m.user_role)}>{t(rankOf(user))}</Fact>
        <Fact name={t(m.column_status)}>
          <Badge tone={tone}>{t(status)}</Badge>
        </Fact>
        <Fact name={t(m.user_used)}>
          <Money quota={user.used_quota} />
        </Fact>
        <Fact name={t(m.user_requests)}>
          <span className="tabular-nums">{abbreviate(user.request_count)}</span>
        </Fact>
        {user.token_count !== undefined && (
          <Fact name={t(m.user_keys)}>
            {outranks(mine, user.role) ? (
              <a
                className="py-0.5 font-medium text-brand tabular-nums underline underline-offset-2"
                href={`/user/tokens/${user.id}`}
              >
                {abbreviate(user.token_count)}
              </a>
            ) : (
              <span className="tabular-nums">{abbreviate(user.token_count)}</span>
            )}
          </Fact>
        )}
      </dl>
      <a
        className="self-start py-0.5 text-13 font-medium text-brand underline underline-offset-2"
        href={`/log?username=${encodeURIComponent(user.username)}`}
      >
        {t(m.user_logs)}
      </a>
    </div>
  );
};

/** The external accounts that are bound to an account; read-only. */
export const BoundAccounts = ({ user }: { readonly user: User }) => {
  const t = useT();
  const always = [
    [t(m.user_code_host), user.github_id],
    [t(m.user_chat_app), user.wechat_id],
    [t(m.user_email), user.email],
  ] as const;
  // Newer than the specification: only shown if there is a value.
  const others = (
    [
      [t(m.user_lark), user.lark_id],
      [t(m.user_oidc), user.oidc_id],
    ] as const
  ).filter(([, value]) => value);
  return (
    <fieldset className="flex flex-col gap-4 border-t border-line pt-4">
      <legend className="sr-only">{t(m.user_bound)}</legend>
      {[...always, ...others].map(([name, value]) => (
        <Field key={name} label={name}>
          {(control) => <Input {...control} readOnly value={value} placeholder={t(m.user_not_bound)} />}
        </Field>
      ))}
    </fieldset>
  );
};
