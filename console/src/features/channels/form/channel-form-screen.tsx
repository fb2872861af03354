import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { Failure } from '../../../components/failure.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { FormSkeleton } from '../../../components/form/form-skeleton.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { EditChannelForm } from './edit-channel-form.tsx';
import { NewChannelForm } from './new-channel-form.tsx';
import { channelQuery } from '../queries.ts';

/** `/channel/add` and `/channel/edit/{id}`. */
export const ChannelFormScreen = () => {
  const { id }: { id?: string } = useParams();
  return id === undefined ? <NewChannelForm /> : <LoadedForm key={id} id={Number(id)} />;
};

const LoadedForm = ({ id }: { readonly id: number }) => {
  const t = useT();
  const { data, error, refetch } = useQuery(channelQuery(id));
  if (data) return <EditChannelForm channel={data} />;
  return (
    <FormFrame title={t(m.channel_edit_title)} footer={null}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={6} />}
    </FormFrame>
  );
};
