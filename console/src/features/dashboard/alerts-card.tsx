import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { updateToken } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import { useState } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Undo } from '../../components/overlay/undo.tsx';
import { formatQuota, formatTime } from '../../lib/format/format.ts';
import { mayI } from '../../lib/api/session.ts';
import { useQuotaDisplay, useStatus } from '../../lib/api/status.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { alertsOf } from './alerts.ts';
import type { Alert, BookReason, UnpricedRule } from './alerts.ts';
import { forget, smallAction, useAction, What } from './alert-line.tsx';
import { ChannelLine, FailingChannel } from './channel-alerts.tsx';
import { Retiring } from './retiring-alert.tsx';
import {
  activityQuery,
  balanceQuery,
  channelsQuery,
  keysQuery,
  networkLimitsQuery,
  priceBookQuery,
  reconciliationQuery,
  retiringQuery,
  silenceQuery,
  unpricedQuery,
} from './queries.ts';
import { call } from '../../lib/api/call.ts';
import { stringifySearch } from '../../lib/lists/search-params.ts';

const monthSeconds = 30 * 86_400;

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

/** The alerts, each with a link to its page and an action that resolves it. */
export const AlertsCard = ({ admin }: { readonly admin: boolean }) => {
  const t = useT();
  const keys = useQuery(keysQuery);
  const channels = useQuery({ ...channelsQuery, enabled: admin });
  const limits = useQuery({ ...networkLimitsQuery, enabled: admin });
  const activity = useQuery({ ...activityQuery, enabled: admin });
  const unpriced = useQuery({ ...unpricedQuery, enabled: admin });
  const retiring = useQuery({ ...retiringQuery, enabled: admin });
  const root = mayI('root');
  const book = useQuery({ ...priceBookQuery, enabled: root });
  const ledger = useQuery({ ...reconciliationQuery, enabled: admin });
  const silence = useQuery({ ...silenceQuery, enabled: admin });
  const self = useQuery(balanceQuery);
  const alerts = alertsOf({
    keys: keys.data ?? [],
    channels: channels.data ?? [],
    traffic: activity.data ?? [],
    unpriced: unpriced.data ?? { rule: 'free', models: [] },
    retiring: retiring.data ?? [],
    book: book.data,
    silence: silence.data ?? { gateway: false, models: [] },
    mismatches: ledger.data?.findings.length ?? 0,
    balance: self.data?.quota,
    limit: useStatus().quota_remind_threshold,
    unlimitedPeer: limits.data?.unlimited_peer ?? '',
    now: Math.floor(Math.max(keys.dataUpdatedAt, channels.dataUpdatedAt) / 1000),
  });
  // Shown all at once: lines that arrive one by one would move the lines below.
  const waiting =
    keys.isPending ||
    (root && book.isPending) ||
    (admin && [channels, limits, activity, unpriced, retiring, ledger, silence].some((each) => each.isPending));
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
  if ('token' in alert) return `${alert.kind} ${alert.token.id}`;
  if ('retiring' in alert) return `${alert.kind} ${alert.retiring.id}`;
  if ('model' in alert) return `${alert.kind} ${alert.model}`;
  return 'channel' in alert ? `${alert.kind} ${alert.channel.id}` : alert.kind;
};

const Line = ({ alert }: { readonly alert: Alert }) => {
  switch (alert.kind) {
    case 'balance':
      return <LowBalance limit={alert.limit} />;
    case 'network-limits':
      return <UnlimitedPeer peer={alert.peer} />;
    case 'ledger':
      return <Mismatch count={alert.count} />;
    case 'unpriced':
      return <Unpriced models={alert.models} rule={alert.rule} />;
    case 'retiring':
      return <Retiring channel={alert.retiring} />;
    case 'price-book':
      return <PriceBook reason={alert.reason} name={alert.name} />;
    case 'silent-gateway':
      return <Silent />;
    case 'silent-model':
      return <Silent model={alert.model} />;
    case 'channel-failing':
      return <FailingChannel channel={alert.channel} failures={alert.failures} />;
    case 'channel-off':
    case 'channel-untested':
      return <ChannelLine off={alert.kind === 'channel-off'} channel={alert.channel} />;
    case 'key-expires':
      return <ExpiringKey token={alert.token} />;
    case 'key-used':
      return <UsedKey {...alert.token} />;
  }
};

const LowBalance = ({ limit }: { readonly limit: number }) => {
  const t = useT();
  return (
    <>
      <What href="/topup" text={t(m.dash_balance_low, { limit: formatQuota(limit, useQuotaDisplay()) })} />
      <a href="/topup" className={buttonClass('plain', smallAction)}>
        {t(m.dash_top_up)}
      </a>
    </>
  );
};

/** The card of the ledger lists the findings. */
const Mismatch = ({ count }: { readonly count: number }) => {
  const t = useT();
  return (
    <>
      <What href="#ledger" text={t(m.dash_mismatch, { count })} />
      <a href="#ledger" className={buttonClass('plain', smallAction)}>
        {t(m.dash_show)}
      </a>
    </>
  );
};

const namedMax = 3;

const Unpriced = ({ models, rule }: { readonly models: readonly string[]; readonly rule: UnpricedRule }) => {
  const t = useT();
  const [first] = models;
  const rest = models.length - namedMax;
  const names =
    models.slice(0, namedMax).join(', ') + (rest > 0 ? ` ${t(m.dash_attention_more, { count: rest })}` : '');
  // The list has them first; one alone opens in its editor.
  const href = models.length === 1 ? `/pricing${stringifySearch({ price: first })}` : '/pricing';
  const text = rule === 'refuse' ? m.dash_unpriced_refused : m.dash_unpriced;
  return (
    <>
      <What href={href} text={t(text, { names })} />
      <a href={href} className={buttonClass('plain', smallAction)}>
        {t(m.dash_set_prices)}
      </a>
    </>
  );
};

const bookTexts = { waiting: m.dash_book_waiting, newer: m.dash_book_newer, none: m.dash_book_none } as const;

const PriceBook = ({ reason, name }: { readonly reason: BookReason; readonly name: string }) => {
  const t = useT();
  const href = reason === 'waiting' ? '/pricing/book' : '/pricing/book/propose';
  return (
    <>
      <What href={href} text={t(bookTexts[reason], { name })} />
      <a href={href} className={buttonClass('plain', smallAction)}>
        {t(m.dash_book_open)}
      </a>
    </>
  );
};

/** The channels that should serve the calls: their state, their last failure and their test are there. */
const Silent = ({ model }: { readonly model?: string }) => {
  const t = useT();
  const text = model === undefined ? t(m.dash_silent_gateway) : t(m.dash_silent_model, { model });
  const href = `/channel${stringifySearch({ model })}`;
  return (
    <>
      <What href={href} text={text} />
      <a href={href} aria-label={`${t(m.dash_check_channels)}: ${text}`} className={buttonClass('plain', smallAction)}>
        {t(m.dash_check_channels)}
      </a>
    </>
  );
};

const UnlimitedPeer = ({ peer }: { readonly peer: string }) => (
  <span className="min-w-0 flex-1 wrap-anywhere">{useT()(m.dash_limits_off, { peer })}</span>
);

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
        <Button
          sends
          size={smallAction}
          busy={busy}
          aria-label={`${t(m.dash_extend)}: ${name}`}
          onClick={() => run(extend)}
        >
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
      <a href={href} aria-label={`${t(m.dash_change_quota)}: ${name}`} className={buttonClass('plain', smallAction)}>
        {t(m.dash_change_quota)}
      </a>
    </>
  );
};
