import type { User } from '@weir/contract/users';
import { buttonClass } from '../../components/button.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AccountCard } from './account-card.tsx';

/** Who is signed in, and the way to change it. */
export const ProfileCard = ({ account }: { readonly account: User }) => {
  const t = useT();
  const facts = [
    [t(m.profile_username), account.username],
    [t(m.profile_display_name), account.display_name],
    [t(m.personal_group), account.group],
  ] as const;
  return (
    <AccountCard title={t(m.personal_profile)}>
      <dl className="grid grid-cols-3 gap-x-5 gap-y-3 max-md:grid-cols-1">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-12 text-mute">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <div>
        <a className={buttonClass('plain')} href="/user/edit">
          {t(m.personal_update_profile)}
        </a>
      </div>
    </AccountCard>
  );
};
