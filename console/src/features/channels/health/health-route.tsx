import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Route } from '@weir/contract/channel-route';
import type { Channel } from '@weir/contract/channels';
import { useState } from 'react';
import { Select } from '../../../components/form/select.tsx';
import { Time } from '../../../components/text/time.tsx';
import { splitList } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { restReasonTexts, verdictTexts } from '../../../lib/route-texts.ts';
import { m } from '../../../paraglide/messages.js';
import { Nothing, Section } from '../../../components/section.tsx';
import { HealthHeads } from './health-heads.tsx';
import { routeQuery } from '../operations.ts';

const pairs = (names: readonly string[]) => names.map((name) => [name, name] as const);

/** Which channel would serve a call for one of the channel's models now, and why each channel is used or skipped. */
export const HealthRoute = ({ channel }: { readonly channel: Channel }) => {
  const t = useT();
  const models = splitList(channel.models);
  const groups = splitList(channel.group);
  const [model, setModel] = useState(models[0] ?? '');
  const [group, setGroup] = useState(groups[0] ?? '');
  const { data: route } = useQuery({ ...routeQuery(model, group), placeholderData: keepPreviousData });
  return (
    <Section title={t(m.route_title)}>
      <div className="flex flex-wrap gap-2 px-4 pt-3">
        <Select
          aria-label={t(m.health_model)}
          value={model}
          choices={pairs(models)}
          onPick={setModel}
          className="w-56"
        />
        <Select
          aria-label={t(m.channel_group)}
          value={group}
          choices={pairs(groups)}
          onPick={setGroup}
          className="w-36"
        />
      </div>
      {route && (route.channels.length === 0 ? <Nothing text={t(m.route_none)} /> : <Channels route={route} />)}
    </Section>
  );
};

const percent = (share: number): string => (share === 0 ? '—' : `${Math.round(share * 100)}%`);

const Channels = ({ route }: { readonly route: Route }) => {
  const t = useT();
  const heads = [m.channel_title, m.channel_priority, m.channel_weight, m.route_state, m.route_share];
  return (
    <section aria-label={t(m.route_channels)}>
      {/* Priority and weight have no room on a phone. */}
      <table className="mb-2 w-full text-13 max-md:[&_:is(td,th):is(:nth-child(2),:nth-child(3))]:hidden">
        <caption className="sr-only">{t(m.route_title)}</caption>
        <HealthHeads heads={heads} />
        <tbody>
          {route.channels.map((channel) => (
            <tr key={channel.id} className="border-t border-line align-top">
              <td className="max-w-28 truncate px-4 py-2 md:max-w-56">
                <a className="font-medium text-brand hover:underline" href={`/channel/${channel.id}`}>
                  {channel.name || channel.id}
                </a>
              </td>
              <td className="px-4 py-2 tabular-nums">{channel.priority}</td>
              <td className="px-4 py-2 tabular-nums">{channel.weight}</td>
              <td className="px-4 py-2">
                {t(verdictTexts[channel.verdict])}
                <Rests {...channel} />
              </td>
              <td className="px-4 py-2 tabular-nums">{percent(channel.share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** The skipped keys, with reason and end time. */
const Rests = ({ keys, rests }: Pick<Route['channels'][number], 'keys' | 'rests'>) => {
  const t = useT();
  return rests.map(({ key, reason, until }) => (
    <span key={key} className="block text-12 text-mute">
      {keys > 1 && `${t(m.route_key, { number: key + 1 })} `}
      {t(restReasonTexts[reason])} <Time unixSeconds={until} />
    </span>
  ));
};
