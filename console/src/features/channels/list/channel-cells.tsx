import { vendorOf } from '@weir/contract/catalogue/vendors';
import type { ChannelActivity } from '@weir/contract/channel-health';
import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { createContext, useContext } from 'react';
import { Badge } from '../../../components/text/badge.tsx';
import { Money } from '../../../components/text/money.tsx';
import { InlineNumber } from '../../../components/table/inline-number.tsx';
import { Undo } from '../../../components/overlay/undo.tsx';
import { abbreviate, formatTime, splitList } from '../../../lib/format/format.ts';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { useNow } from '../../../lib/hooks/use-now.ts';
import { useRefusedButton } from '../../../lib/hooks/use-refusal.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { successOf } from '../activity.ts';
import { bandOf, statusOf } from '../channel-status.ts';
import { useTestState } from '../channel-tests.ts';
import { typeName } from '../../../lib/type-name.ts';
import { undoKey } from '../use-channel-actions.ts';
import type { ChannelActions } from '../use-channel-actions.ts';

/** The actions of the list, for cells that change their row. */
export const ActionsContext = createContext<ChannelActions | undefined>(undefined);

/** A dot in the type's colour, then its name; a type outside the catalogue shows its number, in grey. */
export const TypeCell = ({ type }: { readonly type: number }) => {
  const name = typeName(type, useLanguage());
  return (
    <span className="flex min-w-0 items-start gap-2 whitespace-nowrap">
      <span
        aria-hidden="true"
        data-dot={vendorOf(type)?.color ?? 'grey'}
        className="mt-[0.5em] size-2 shrink-0 rounded-full"
      />
      <span className="truncate" title={name}>
        {name}
      </span>
    </span>
  );
};

/** Why the system disabled a channel, where the server reports it. */
const autoTip = ({ status_reason: reason }: Channel, t: Translate): string =>
  reason ? t(m.channel_status_auto_reason, { reason }) : t(m.channel_status_auto_tip);

export const StatusCell = ({ channel }: { readonly channel: Channel }) => {
  const t = useT();
  const [text, tone] = statusOf(channel.status);
  const tip = channel.status === channelStatus.autoDisabled ? autoTip(channel, t) : undefined;
  return (
    <>
      <Badge tone={tone} {...(tip ? { tip } : {})}>
        {t(text)}
      </Badge>
      {tip && <Revive channel={channel} />}
      <Undo of={undoKey(channel, 'status')} />
    </>
  );
};

const inlineButton =
  'min-h-6 rounded-control px-1 text-12 font-medium text-brand underline-offset-2 hover:underline aria-disabled:opacity-55 max-md:hidden pointer-coarse:min-h-11';

/** Buttons beside a channel that the system disabled: test and enable. Cards have both in their footer. */
const Revive = ({ channel }: { readonly channel: Channel }) => {
  const t = useT();
  const actions = useContext(ActionsContext);
  const refused = useRefusedButton();
  if (!actions) return null;
  const { name } = channel;
  return (
    <span className="ml-1 whitespace-nowrap">
      <button
        type="button"
        className={inlineButton}
        aria-label={t(m.channel_test_named, { name })}
        onClick={() => actions.test(channel)}
        {...refused}
      >
        {t(m.channel_test)}
      </button>
      <button
        type="button"
        className={inlineButton}
        aria-label={t(m.channel_enable_named, { name })}
        onClick={() => void actions.flip(channel)}
        {...refused}
      >
        {t(m.enable)}
      </button>
    </span>
  );
};

export const ModelsCell = ({ models }: { readonly models: string }) => {
  const t = useT();
  const names = splitList(models);
  const [only] = names;
  return (
    <span data-tip={names.length > 1 ? names.slice(0, 20).join(', ') : undefined} className="block max-w-22 truncate">
      {names.length === 1 ? only : t(m.channel_models_count, { count: names.length })}
    </span>
  );
};

const tones = { ok: 'text-ok', olive: 'text-olive', warn: 'text-warn', bad: 'text-bad', off: 'text-off' } as const;

/** The last test: a running timer, its error, or its seconds with a bar and a label. */
export const ResponseCell = ({ channel }: { readonly channel: Channel }) => {
  const t = useT();
  const state = useTestState(channel.id);
  if (state?.kind === 'running') return <RunningTest startedMs={state.startedMs} />;
  if (state?.kind === 'failed') {
    return (
      <Badge tone="bad" tip={state.reason}>
        {t(m.channel_test_failed)}
      </Badge>
    );
  }
  if (channel.response_time === 0 && channel.test_time > 0) {
    return (
      <Badge tone="bad" tip={[formatTime(channel.test_time), channel.test_error].filter(Boolean).join(' · ')}>
        {t(m.channel_test_failed)}
      </Badge>
    );
  }
  const { tone, word, bar } = bandOf(channel.response_time);
  if (bar === 0) return <span className="text-off">{t(word)}</span>;
  return (
    <span
      data-tip={formatTime(channel.test_time)}
      className={`inline-flex items-center gap-2 whitespace-nowrap ${tones[tone]}`}
    >
      <svg aria-hidden="true" viewBox="0 0 18 10" className="h-2.5 w-4.5 fill-current">
        {[0, 1, 2, 3].map((part) => (
          <rect
            key={part}
            x={part * 5}
            y={6 - part * 2}
            width="3"
            height={4 + part * 2}
            rx="1"
            opacity={part < bar ? 1 : 0.25}
          />
        ))}
      </svg>
      <span className="tabular-nums">
        {t(m.channel_seconds, { seconds: (channel.response_time / 1000).toFixed(2) })}
      </span>
      <span className="sr-only">{t(word)}</span>
    </span>
  );
};

const RunningTest = ({ startedMs }: { readonly startedMs: number }) => {
  const t = useT();
  const seconds = Math.max(0, (useNow(100) - startedMs) / 1000).toFixed(1);
  return <span className="whitespace-nowrap text-mute tabular-nums">{t(m.channel_testing, { seconds })}</span>;
};

export const PriorityCell = ({ channel }: { readonly channel: Channel }) => {
  const t = useT();
  const actions = useContext(ActionsContext);
  return (
    <InlineNumber
      label={t(m.channel_priority_of, { name: channel.name })}
      value={channel.priority}
      onSave={(priority) => actions?.setPriority(channel, priority)}
      undoKey={undoKey(channel, 'priority')}
    />
  );
};

export const WeightCell = ({ channel }: { readonly channel: Channel }) => {
  const t = useT();
  const actions = useContext(ActionsContext);
  return (
    <InlineNumber
      label={t(m.channel_weight_of, { name: channel.name })}
      value={channel.weight}
      min={0}
      onSave={(weight) => actions?.setWeight(channel, weight)}
      undoKey={undoKey(channel, 'weight')}
    />
  );
};

const goodShare = 0.95;
const fairShare = 0.5;

/** The share of attempts that succeeded, in the colour of a state where it is not good. */
export const SuccessCell = ({ traffic }: { readonly traffic: ChannelActivity | undefined }) => {
  const t = useT();
  const share = successOf(traffic);
  if (traffic === undefined || share === undefined) return <span className="text-mute">—</span>;
  const tone = share >= goodShare ? '' : share >= fairShare ? 'text-warn' : 'font-medium text-bad';
  return (
    <span
      className={`tabular-nums ${tone}`}
      data-tip={t(m.channel_success_tip, { failed: traffic.failed, count: traffic.succeeded + traffic.failed })}
    >
      {(share * 100).toFixed(share > 0.99 && share < 1 ? 1 : 0)}%
    </span>
  );
};

/** Charged requests and their cost. */
export const TrafficCell = ({ traffic }: { readonly traffic: ChannelActivity | undefined }) => {
  const t = useT();
  if (traffic === undefined) return <span className="text-mute">—</span>;
  return (
    <span className="whitespace-nowrap tabular-nums" data-tip={t(m.channel_traffic_tip)}>
      {abbreviate(traffic.requests)} <span className="text-mute">·</span> <Money quota={traffic.quota} />
    </span>
  );
};
