import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { channelStatus, testChannel, updateChannel } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { updateToken } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import { useState } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Undo } from '../../components/overlay/undo.tsx';
import { formatQuota, formatTime } from '../../lib/format/format.ts';
import { formatTook } from '../../lib/format/format-took.ts';
import { useQuotaDisplay, useStatus } from '../../lib/api/status.ts';
import { toastFailure } from '../../lib/toasts.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { alertsOf } from './alerts.ts';
import type { Alert } from './alerts.ts';
import { balanceQuery, channelsQuery, keysQuery, networkLimitsQuery } from './queries.ts';
import { call, callWhole } from '../../lib/api/call.ts';

const monthSeconds = 30 * 86_400;

/** Reloads the lists of channels and tokens; this card keeps the line until the next visit. */
const forget = (client: QueryClient, key: 'channels' | 'tokens'): void =>
  void client.invalidateQueries({ queryKey: [key] });

/** Resolves to the duration in milliseconds. */
const test = async (client: QueryClient, { id }: Channel): Promise<number> => {
  const { time } = await callWhole(testChannel, { params: { id }, query: { model: '' } });
  forget(client, 'channels');
  return time * 1000;
};

const enable = async (client: QueryClient, { id }: Channel): Promise<void> => {
  await call(updateChannel, { body: { id, status: channelStatus.enabled } });
  forget(client, 'channels');
};

/** Unchanged members are sent back: `used_quota` as loaded, so that nothing is credited back. */
const expireAt = async (client: QueryClient, token: Token, at: number): Promise<void> => {
  const { id, name, remain_quota, used_quota, unlimited_quota, models, subnet } = token;
  await call(updateToken, {
    body: { id, name, remain_quota, used_quota, unlimited_quota, models, subnet, expired_time: at },
  });
  forget(client, 'tokens');
  client.removeQueries({ queryKey: ['token', id] });
};

/** A month after the expiry, or after now if it is past. */
const extendedTime = ({ expired_time: at }: Token): number =>
  Math.max(at, Math.floor(Date.now() / 1000)) + monthSeconds;

const shownMax = 8;
const small = 'h-7 px-2 pointer-coarse:h-11';

/** The alerts, each with a link to its page and an action that resolves it. */
export const AlertsCard = ({ admin }: { readonly admin: boolean }) => {
  const t = useT();
  const keys = useQuery(keysQuery);
  const channels = useQuery({ ...channelsQuery, enabled: admin });
  const limits = useQuery({ ...networkLimitsQuery, enabled: admin });
  const self = useQuery(balanceQuery);
  const alerts = alertsOf({
    keys: keys.data ?? [],
    channels: channels.data ?? [],
    balance: self.data?.quota,
    limit: useStatus().quota_remind_threshold,
    unlimitedPeer: limits.data?.unlimited_peer ?? '',
    now: Math.floor(Math.max(keys.dataUpdatedAt, channels.dataUpdatedAt) / 1000),
  });
  // Shown all at once: lines that arrive one by one would move the lines below.
  const waiting = keys.isPending || (admin && (channels.isPending || limits.isPending));
  return (
    <section className="rounded-card border border-line bg-panel px-4 py-3">
      <h2 className="pb-2 text-16 font-semibold">{t(m.dash_attention)}</h2>
      {waiting && <div className="h-10" aria-busy="true" />}
      {!waiting && alerts.length === 0 && <p className="text-mute">{t(m.dash_attention_none)}</p>}
      {!waiting && alerts.length > 0 && (
        <ul className="flex flex-col">
          {alerts.slice(0, shownMax).map((alert) => (
            <li
              key={idOf(alert)}
              className="flex min-h-10 flex-wrap items-center gap-x-2 border-t border-line py-1 first:border-t-0"
            >
              <Icon name="alert" className="size-4 shrink-0 text-warn" />
              <Line alert={alert} />
            </li>
          ))}
          {alerts.length > shownMax && (
            <li className="border-t border-line pt-2 text-13 text-mute">
              {t(m.dash_attention_more, { count: alerts.length - shownMax })}
            </li>
          )}
        </ul>
      )}
    </section>
  );
};

const idOf = (alert: Alert): string => {
  if (alert.kind === 'balance' || alert.kind === 'network-limits') return alert.kind;
  return `${alert.kind} ${'token' in alert ? alert.token.id : alert.channel.id}`;
};

const Line = ({ alert }: { readonly alert: Alert }) => {
  switch (alert.kind) {
    case 'balance':
      return <LowBalance limit={alert.limit} />;
    case 'network-limits':
      return <UnlimitedPeer peer={alert.peer} />;
    case 'channel-off':
    case 'channel-untested':
      return <ChannelLine off={alert.kind === 'channel-off'} channel={alert.channel} />;
    case 'key-expires':
      return <ExpiringKey token={alert.token} />;
    case 'key-used':
      return <UsedKey {...alert.token} />;
  }
};

const What = ({ href, text }: { readonly href: string; readonly text: string }) => (
  <a href={href} className="min-w-0 flex-1 wrap-anywhere underline-offset-2 hover:underline">
    {text}
  </a>
);

const LowBalance = ({ limit }: { readonly limit: number }) => {
  const t = useT();
  return (
    <>
      <What href="/topup" text={t(m.dash_balance_low, { limit: formatQuota(limit, useQuotaDisplay()) })} />
      <a href="/topup" className={buttonClass('plain', small)}>
        {t(m.dash_top_up)}
      </a>
    </>
  );
};

const UnlimitedPeer = ({ peer }: { readonly peer: string }) => (
  <span className="min-w-0 flex-1 wrap-anywhere">{useT()(m.dash_limits_off, { peer })}</span>
);

/** Runs one action at a time, and shows the error if it fails. */
const useAction = () => {
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    await work().catch(toastFailure);
    setBusy(false);
  };
  return { busy, run: (work: () => Promise<void>) => void run(work) };
};

/** First the test, then, if the system disabled the channel and the test succeeds, enabling it. */
const ChannelLine = ({ off, channel }: { readonly off: boolean; readonly channel: Channel }) => {
  const t = useT();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const [result, setResult] = useState<string>();
  const [step, setStep] = useState<'test' | 'enable' | 'done'>('test');
  const { id, name } = channel;
  const testIt = async (): Promise<void> => {
    const ms = await test(client, channel);
    setResult(t(m.dash_answered, { name, took: formatTook(ms) }));
    setStep(off ? 'enable' : 'done');
  };
  const enableIt = async (): Promise<void> => {
    await enable(client, channel);
    setResult(t(m.dash_enabled, { name }));
    setStep('done');
  };
  return (
    <>
      <What
        href={`/channel/edit/${id}`}
        text={result ?? t(off ? m.dash_channel_off : m.dash_channel_untested, { name })}
      />
      {step !== 'done' && (
        <Button
          sends
          size={small}
          busy={busy}
          aria-label={`${t(step === 'test' ? m.dash_test : m.enable)}: ${name}`}
          onClick={() => run(step === 'test' ? testIt : enableIt)}
        >
          {t(step === 'test' ? m.dash_test : m.enable)}
        </Button>
      )}
    </>
  );
};

const ExpiringKey = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const [until, setUntil] = useState<number>();
  const undoKey = `expiry:${token.id}`;
  const { id, name } = token;
  const takeBack = async (): Promise<void> => {
    await expireAt(client, token, token.expired_time);
    setUntil(undefined);
  };
  const extend = async (): Promise<void> => {
    const at = extendedTime(token);
    await expireAt(client, token, at);
    setUntil(at);
    offerUndo(undoKey, () => run(takeBack));
  };
  const text =
    until === undefined ? t(m.dash_key_expires, { name }) : t(m.dash_extended, { name, time: formatTime(until) });
  return (
    <>
      <What href={`/token/edit/${id}`} text={text} />
      <Undo of={undoKey} />
      {until === undefined && (
        <Button sends size={small} busy={busy} aria-label={`${t(m.dash_extend)}: ${name}`} onClick={() => run(extend)}>
          {t(m.dash_extend)}
        </Button>
      )}
    </>
  );
};

const UsedKey = ({ id, name }: Token) => {
  const t = useT();
  const href = `/token/edit/${id}`;
  return (
    <>
      <What href={href} text={t(m.dash_key_used, { name })} />
      <a href={href} aria-label={`${t(m.dash_change_quota)}: ${name}`} className={buttonClass('plain', small)}>
        {t(m.dash_change_quota)}
      </a>
    </>
  );
};
