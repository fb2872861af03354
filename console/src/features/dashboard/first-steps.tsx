import { useQuery, useQueryClient } from '@tanstack/react-query';
import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { neverExpires, createToken } from '@weir/contract/tokens';
import { Button } from '../../components/button.tsx';
import { call } from '../../lib/api/call.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { useAction, What } from './alert-line.tsx';
import { ChannelLine } from './channel-alerts.tsx';
import { FirstCall } from './first-call.tsx';
import { FirstProvider } from './first-provider.tsx';
import { channelsQuery, keysQuery } from './queries.ts';
import { Step } from './step.tsx';

/** The steps to the first answered call: for administrators a provider first; a token, a request, its record. */
export const FirstSteps = ({ admin }: { readonly admin: boolean }) => {
  const t = useT();
  const keys = useQuery(keysQuery);
  const channels = useQuery({ ...channelsQuery, enabled: admin });
  const [token] = keys.data ?? [];
  const working = channels.data?.find(({ test_time, response_time }) => test_time > 0 && response_time > 0);
  const before = admin ? 1 : 0;
  return (
    <section className="mb-3 flex flex-col gap-3 rounded-card border border-line bg-panel px-4 py-3">
      <h2 className="text-16 font-semibold">{t(m.dash_first)}</h2>
      <ol className="flex flex-col gap-3">
        {admin && (
          <Step step={1} done={working !== undefined}>
            <Provider channel={working ?? channels.data?.[0]} works={working !== undefined} />
          </Step>
        )}
        <Step step={before + 1} done={token !== undefined}>
          {token ? t(m.dash_first_key_done) : <CreateToken />}
        </Step>
        <FirstCall step={before + 2} admin={admin} token={token} />
      </ol>
    </section>
  );
};

interface ProviderProps {
  /** Undefined: there is none yet. */
  readonly channel: Channel | undefined;
  readonly works: boolean;
}

const Provider = ({ channel, works }: ProviderProps) => {
  const t = useT();
  const client = useQueryClient();
  const reload = (): void => void client.invalidateQueries({ queryKey: channelsQuery.queryKey });
  if (channel === undefined) return <FirstProvider />;
  if (!works)
    return <ChannelLine off={channel.status === channelStatus.autoDisabled} channel={channel} onWorks={reload} />;
  return <What href={`/channel/${channel.id}`} text={t(m.dash_first_provider_done, { name: channel.name })} />;
};

const CreateToken = () => {
  const t = useT();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const create = async (): Promise<void> => {
    await call(createToken, { body: { name: 'default', unlimited_quota: true, expired_time: neverExpires } });
    await client.invalidateQueries({ queryKey: keysQuery.queryKey });
  };
  return (
    <Button sends icon="plus" busy={busy} onClick={() => run(create)}>
      {t(m.dash_first_key)}
    </Button>
  );
};
