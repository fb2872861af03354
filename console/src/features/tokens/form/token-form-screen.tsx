import { useQuery } from '@tanstack/react-query';
import { tokenDefaults } from '@weir/contract/tokens';
import { useParams } from 'wouter';
import { Failure } from '../../../components/failure.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { FormSkeleton } from '../../../components/form/form-skeleton.tsx';
import { useOpened } from '../../../lib/hooks/use-opened.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { tokenQuery } from '../queries.ts';
import { NewTokenForm } from './new-token-form.tsx';
import { EditTokenForm } from './edit-token-form.tsx';

/** `/token/add` and `/token/edit/{id}`. */
export const TokenFormScreen = () => {
  const { id }: { id?: string } = useParams();
  return id === undefined ? (
    <NewTokenForm defaults={{ name: '', ...tokenDefaults, models: '', subnet: '' }} />
  ) : (
    <LoadedForm key={id} id={Number(id)} />
  );
};

const LoadedForm = ({ id }: { readonly id: number }) => {
  const t = useT();
  const { error, refetch, ...loading } = useQuery(tokenQuery(id));
  const token = useOpened(loading);
  if (token) return <EditTokenForm token={token} />;
  return (
    <FormFrame title={t(m.token_edit_title)} footer={null}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={3} />}
    </FormFrame>
  );
};
