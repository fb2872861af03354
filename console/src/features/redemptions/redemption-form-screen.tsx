import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { Failure } from '../../components/failure.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { useOpened } from '../../lib/hooks/use-opened.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { EditRedemptionForm } from './edit-redemption-form.tsx';
import { NewRedemptionsForm } from './new-redemptions-form.tsx';
import { redemptionQuery } from './queries.ts';

/** `/redemption/add` and `/redemption/edit/{id}`. */
export const RedemptionFormScreen = () => {
  const { id }: { id?: string } = useParams();
  return id === undefined ? <NewRedemptionsForm /> : <LoadedForm key={id} id={Number(id)} />;
};

const LoadedForm = ({ id }: { readonly id: number }) => {
  const t = useT();
  const { error, refetch, ...loading } = useQuery(redemptionQuery(id));
  const code = useOpened(loading);
  if (code) return <EditRedemptionForm code={code} />;
  return (
    <FormFrame title={t(m.redemption_edit_title)} footer={null}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={2} />}
    </FormFrame>
  );
};
