import type { User } from '@weir/contract/users';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** Accounts elsewhere, to be read only: they are bound in the settings. */
export const BoundFields = ({ account }: { readonly account: User }) => {
  const t = useT();
  const bound = [
    [t(m.profile_github_id), account.github_id],
    [t(m.profile_wechat_id), account.wechat_id],
    [t(m.profile_email), account.email],
    ...(account.oidc_id === '' ? [] : [[t(m.personal_oidc), account.oidc_id] as const]),
    ...(account.lark_id === '' ? [] : [[t(m.personal_lark), account.lark_id] as const]),
  ] as const;
  return (
    <div className="grid grid-cols-2 gap-5 max-md:grid-cols-1">
      {bound.map(([label, value]) => (
        <Field key={label} label={label}>
          {(control) => <Input {...control} readOnly value={value} placeholder={t(m.personal_unbound)} />}
        </Field>
      ))}
    </div>
  );
};
