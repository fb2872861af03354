import { useQuery } from '@tanstack/react-query';
import { can } from '@weir/contract/roles';
import { Failure } from '../../components/failure.tsx';
import { FormSkeleton } from '../../components/form-skeleton.tsx';
import { selfQuery } from '../../lib/self.ts';
import { AccessTokenCard } from './access-token-card.tsx';
import { BindingsCard } from './bindings-card.tsx';
import { DangerCard } from './danger-card.tsx';
import { InviteCard } from './invite-card.tsx';
import { LookCard } from './look-card.tsx';
import { ProfileCard } from './profile-card.tsx';

/** Everything about one's own account, as the first tab of the settings. */
export const PersonalTab = () => {
  const { data, error, refetch } = useQuery(selfQuery);
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={4} />;
  return (
    <div className="flex flex-col gap-4">
      <ProfileCard account={data} />
      <AccessTokenCard />
      <InviteCard />
      <BindingsCard account={data} />
      <LookCard />
      {!can(data.role, 'root') && <DangerCard username={data.username} />}
    </div>
  );
};
