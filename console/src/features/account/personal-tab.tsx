import { useQuery } from '@tanstack/react-query';
import { can } from '@weir/contract/roles';
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import type { User } from '@weir/contract/users';
import { Failure } from '../../components/failure.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { selfQuery } from '../../lib/api/self.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { AccessTokenCard } from './access-token-card.tsx';
import { BindingsCard } from './bindings-card.tsx';
import { InviteCard } from './invite-card.tsx';
import { LookCard } from './look-card.tsx';
import { matchesCard } from './personal-labels.ts';
import type { PersonalCard } from './personal-labels.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { m } from '../../paraglide/messages.js';
import { AccountCard } from './account-card.tsx';

const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }));

/** The sign-out button. */
const DangerCard = ({ username }: { readonly username: string }) => {
  const t = useT();
  const [dialogOpen, setDialogOpen] = useState(false);
  return (
    <AccountCard title={t(m.personal_danger)} text={t(m.personal_danger_hint)} danger>
      <div>
        <Button look="danger" icon="trash" onClick={() => setDialogOpen(true)}>
          {t(m.personal_delete)}
        </Button>
      </div>
      {dialogOpen && (
        <Suspense>
          <DeleteDialog username={username} onClose={() => setDialogOpen(false)} />
        </Suspense>
      )}
    </AccountCard>
  );
};

/** The signed-in user, and a link to edit the profile. */
const ProfileCard = ({ account }: { readonly account: User }) => {
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

interface PersonalTabProps {
  /** Shows only the cards whose texts or controls match it. */
  readonly search?: string | undefined;
}

/** All settings of the own account, as the first tab of the settings. */
export const PersonalTab = ({ search }: PersonalTabProps) => {
  const t = useT();
  const { data, error, refetch } = useQuery(selfQuery);
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={4} />;
  const cards: readonly (readonly [PersonalCard, ReactNode])[] = [
    ['profile', <ProfileCard key="profile" account={data} />],
    ['token', <AccessTokenCard key="token" />],
    ['invite', <InviteCard key="invite" />],
    ['bindings', <BindingsCard key="bindings" account={data} />],
    ['look', <LookCard key="look" />],
    ...(can(data.role, 'root') ? [] : [['danger', <DangerCard key="danger" username={data.username} />] as const]),
  ];
  return (
    <div className="flex flex-col gap-4">
      {cards.filter(([card]) => search === undefined || matchesCard(t, card, search)).map(([, card]) => card)}
    </div>
  );
};
