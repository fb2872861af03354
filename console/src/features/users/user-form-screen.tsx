import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { Failure } from '../../components/failure.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { useOpened } from '../../lib/hooks/use-opened.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { EditUserForm } from './edit-user-form.tsx';
import { NewUserForm } from './new-user-form.tsx';
import { userQuery } from './queries.ts';

/** `/user/add` and `/user/edit/{id}`. */
export const UserFormScreen = () => {
  const { id }: { id?: string } = useParams();
  return id === undefined ? <NewUserForm /> : <LoadedForm key={id} id={Number(id)} />;
};

const LoadedForm = ({ id }: { readonly id: number }) => {
  const t = useT();
  const { error, refetch, ...loading } = useQuery(userQuery(id));
  const user = useOpened(loading);
  if (user) return <EditUserForm user={user} />;
  return (
    <FormFrame title={t(m.user_edit_title)} footer={null}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={5} />}
    </FormFrame>
  );
};
