import { useQuery } from '@tanstack/react-query';
import { can } from '@weir/contract/roles';
import type { ReactNode } from 'react';
import { Failure } from '../../components/failure.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { selfQuery } from '../../lib/api/self.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { AccessTokenCard } from './access-token-card.tsx';
import { BindingsCard } from './bindings-card.tsx';
import { DangerCard } from './danger-card.tsx';
import { InviteCard } from './invite-card.tsx';
import { LookCard } from './look-card.tsx';
import { cardSays } from './personal-words.ts';
import type { PersonalCard } from './personal-words.ts';
import { ProfileCard } from './profile-card.tsx';

interface PersonalTabProps {
  /** Only the cards that say this, in their words or those of their controls. */
  readonly search?: string | undefined;
}

/** Everything about one's own account, as the first tab of the settings. */
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
      {cards.filter(([card]) => search === undefined || cardSays(t, card, search)).map(([, card]) => card)}
    </div>
  );
};
