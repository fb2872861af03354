import { channelStatus } from '@weir/contract/channels';
import type { ChannelTestResult } from '../../relay/call/test-channel.ts';
import type { ChannelRow } from '../../store/channels/channels.ts';
import type { Options } from '../../store/options.ts';
import type { ChannelSwitches } from './channel-switches.ts';
import { channelSlow, type Reason } from '../notices.ts';
import type { NotifyRoot } from '../notify-root.ts';

/** The effect of a test on the channel's status: whether it was switched, and to what. */
export type ChannelJudge = (
  channel: ChannelRow,
  result: ChannelTestResult,
  order: { readonly requested: boolean },
) => Promise<'disabled' | 'enabled' | null>;

export interface ChannelJudgeDeps {
  readonly options: Options;
  readonly switches: ChannelSwitches;
  readonly notifyRoot: NotifyRoot;
}

const byHandToo = [channelStatus.disabled, channelStatus.autoDisabled];
const bySystemOnly = [channelStatus.autoDisabled];

/**
 * Disables an enabled channel whose account is refused or that is too slow, and enables a disabled one that passes,
 * each as the options say. A channel that an operator disabled is enabled again only by a run that an operator
 * requested, never by a periodic one.
 */
export const createChannelJudge = ({ options, switches, notifyRoot }: ChannelJudgeDeps): ChannelJudge => {
  /** Slow channels that were reported to root: once, until they are fast again. */
  const reported = new Set<number>();

  const tooSlow = ({ ok, timeMs }: ChannelTestResult): Reason | null => {
    const limit = options.get('ChannelDisableThreshold');
    if (!ok || limit === 0 || timeMs <= limit * 1000) return null;
    const took = (timeMs / 1000).toFixed(2);
    return {
      en: `response time of ${took} s exceeds the limit of ${limit} s`,
      zh: `响应时间 ${took} 秒，超过上限 ${limit} 秒`,
    };
  };

  return async (row, result, { requested }) => {
    const channel = { id: row.id, keyDigest: result.keyDigest };
    const slow = tooSlow(result);
    if (slow === null) reported.delete(row.id);
    if (row.status !== channelStatus.enabled) {
      if (!result.ok || slow !== null || !options.get('AutomaticEnableChannelEnabled')) return null;
      return (await switches.enable(channel, requested ? byHandToo : bySystemOnly)) ? 'enabled' : null;
    }
    const reason = slow ?? (result.refusesAccount ? { en: result.message, zh: result.message } : null);
    if (reason === null) return null;
    if (options.get('AutomaticDisableChannelEnabled'))
      return (await switches.disable(channel, reason)) ? 'disabled' : null;
    if (slow !== null && !reported.has(row.id)) {
      reported.add(row.id);
      notifyRoot(channelSlow({ id: row.id, name: row.name, reason: slow }));
    }
    return null;
  };
};
