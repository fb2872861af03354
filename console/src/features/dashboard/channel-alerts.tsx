import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { channelStatus, testChannel, updateChannel } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Undo } from '../../components/overlay/undo.tsx';
import { call, callWhole } from '../../lib/api/call.ts';
import { failureText } from '../../lib/api/failure-text.ts';
import { formatTook } from '../../lib/format/format-took.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { forget, smallAction, useAction, What } from './alert-line.tsx';
import type { Failures } from './alerts.ts';

/** Resolves to the duration in milliseconds. */
const test = async (client: QueryClient, { id }: Channel): Promise<number> => {
  const { time } = await callWhole(testChannel, { params: { id }, query: { model: '' } });
  forget(client, 'channels');
  return time * 1000;
};

const setStatus = async (client: QueryClient, { id }: Channel, status: 1 | 2): Promise<void> => {
  await call(updateChannel, { body: { id, status } });
  forget(client, 'channels');
};

interface ChannelLineProps {
  /** The system disabled the channel; else it was never tested. */
  readonly off: boolean;
  readonly channel: Channel;
  /** Called after a successful test. */
  readonly onWorks?: () => void;
}

/** A channel to test, and if the system disabled it, to enable. */
export const ChannelLine = ({ off, channel, onWorks }: ChannelLineProps) => {
  const t = useT();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const [result, setResult] = useState<string>();
  const [open, setOpen] = useState({ test: true, enable: off });
  const { id, name, status_reason: reason } = channel;
  const testIt = async (): Promise<void> => {
    try {
      const ms = await test(client, channel);
      setResult(t(m.dash_answered, { name, took: formatTook(ms) }));
      setOpen({ ...open, test: false });
      onWorks?.();
    } catch (error) {
      setResult(t(m.dash_test_failed, { name, reason: failureText(error) }));
    }
  };
  const enableIt = async (): Promise<void> => {
    await setStatus(client, channel, channelStatus.enabled);
    setResult(t(m.dash_enabled, { name }));
    setOpen({ test: false, enable: false });
  };
  const offText = reason ? t(m.dash_channel_off_reason, { name, reason }) : t(m.dash_channel_off, { name });
  const actions = [
    [open.test, m.dash_test, testIt],
    [open.enable, m.enable, enableIt],
  ] as const;
  return (
    <>
      <What href={`/channel/${id}`} text={result ?? (off ? offText : t(m.dash_channel_untested, { name }))} />
      {actions.map(
        ([offered, text, work]) =>
          offered && (
            <Button
              key={t(text)}
              sends
              size={smallAction}
              busy={busy}
              aria-label={`${t(text)}: ${name}`}
              onClick={() => run(work)}
            >
              {t(text)}
            </Button>
          ),
      )}
    </>
  );
};

interface FailingChannelProps {
  readonly channel: Channel;
  readonly failures: Failures;
}

/** A channel on which most attempts fail, to disable; its page shows the errors. */
export const FailingChannel = ({ channel, failures: { failed, total, recent } }: FailingChannelProps) => {
  const t = useT();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const [off, setOff] = useState(false);
  const { id, name } = channel;
  const undoKey = `failing:${id}`;
  const takeBack = async (): Promise<void> => {
    await setStatus(client, channel, channelStatus.enabled);
    setOff(false);
  };
  const disable = async (): Promise<void> => {
    await setStatus(client, channel, channelStatus.disabled);
    setOff(true);
    offerUndo(undoKey, () => run(takeBack));
  };
  const failing = t(recent ? m.dash_failing_hour : m.dash_failing_day, { name, failed, total });
  return (
    <>
      <What href={`/channel/${id}`} text={off ? t(m.dash_disabled, { name }) : failing} />
      <Undo of={undoKey} />
      {!off && (
        <Button
          sends
          size={smallAction}
          busy={busy}
          aria-label={`${t(m.disable)}: ${name}`}
          onClick={() => run(disable)}
        >
          {t(m.disable)}
        </Button>
      )}
    </>
  );
};
