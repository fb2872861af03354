import { useQuery } from '@tanstack/react-query';
import type { Channel } from '@weir/contract/channels';
import type { Token } from '@weir/contract/tokens';
import { neverExpires } from '@weir/contract/tokens';
import { Icon } from '../../components/icon.tsx';
import { useT } from '../../lib/use-t.ts';
import type { Translate } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { channelsQuery, keysQuery } from './queries.ts';

const soonSeconds = 7 * 86_400;
const usedShare = 0.9;
const disabledBySystem = 3;
const enabled = 1;

interface Concern {
  readonly text: string;
  readonly href: string;
}

const concernsOfKeys = (keys: readonly Token[], now: number, t: Translate): Concern[] =>
  keys
    .filter(({ status }) => status === enabled)
    .flatMap(
      ({ id, name, expired_time: expires, unlimited_quota: unlimited, remain_quota: left, used_quota: used }) => {
        const href = `/token/edit/${id}`;
        const ends = expires !== neverExpires && expires - now < soonSeconds;
        const spent = !unlimited && used > 0 && used / (used + left) > usedShare;
        return [
          ...(ends ? [{ text: t(m.dash_key_expires, { name }), href }] : []),
          ...(spent ? [{ text: t(m.dash_key_used, { name }), href }] : []),
        ];
      },
    );

const concernsOfChannels = (channels: readonly Channel[], t: Translate): Concern[] =>
  channels.flatMap(({ id, name, status, test_time: tested }) => {
    const href = `/channel/edit/${id}`;
    if (status === disabledBySystem) return [{ text: t(m.dash_channel_off, { name }), href }];
    return status === enabled && tested === 0 ? [{ text: t(m.dash_channel_untested, { name }), href }] : [];
  });

/** What somebody should look at, each with the way there. */
export const Attention = ({ admin }: { readonly admin: boolean }) => {
  const t = useT();
  const keys = useQuery(keysQuery);
  const channels = useQuery({ ...channelsQuery, enabled: admin });
  const now = Math.floor(Math.max(keys.dataUpdatedAt, channels.dataUpdatedAt) / 1000);
  const concerns = [...concernsOfChannels(channels.data ?? [], t), ...concernsOfKeys(keys.data ?? [], now, t)];
  return (
    <section className="rounded-card border border-line bg-panel px-4 py-3">
      <h2 className="pb-2 text-16 font-semibold">{t(m.dash_attention)}</h2>
      {concerns.length === 0 ? (
        <p className="text-mute">{t(m.dash_attention_none)}</p>
      ) : (
        <ul className="flex flex-col">
          {concerns.map(({ text, href }) => (
            <li key={text} className="border-t border-line first:border-t-0">
              <a href={href} className="flex min-h-9 items-center gap-2 py-1 hover:underline">
                <Icon name="alert" className="size-4 shrink-0 text-warn" />
                <span className="min-w-0 wrap-anywhere">{text}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
