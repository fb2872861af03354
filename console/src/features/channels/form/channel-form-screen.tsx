import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { Failure } from '../../../components/failure.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { FormSkeleton } from '../../../components/form/form-skeleton.tsx';
import { useOpened } from '../../../lib/hooks/use-opened.ts';
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
  const { error, refetch, ...loading } = useQuery(channelQuery(id));
  const channel = useOpened(loading);
  if (channel) return <EditChannelForm channel={channel} />;
  return (
    <FormFrame title={t(m.channel_edit_title)} footer={null}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={6} />}
    </FormFrame>
  );
};
