import type { Registry } from 'prom-client';
import { createMessagePusher } from '../integrations/message-pusher.ts';
import type { Mail } from '../integrations/mail.ts';
import type { Outbound } from '../integrations/outbound.ts';
import { bothObservers, type RelayObserver } from '../relay/call/relay-observer.ts';
import type { Changes } from '../store/nodes/changes.ts';
import type { Database } from '../store/database.ts';
import type { Options } from '../store/options.ts';
import { type ChannelSwitches, createChannelSwitches } from './channels/channel-switches.ts';
import { createChannelTally } from './channels/channel-tally.ts';
import { createNotifyRoot, type NotifyRoot } from './notify-root.ts';
import { createQuotaReminders } from './reminders/quota-reminders.ts';
import { createRefusalLog } from './refusals/refusal-log.ts';
import { createRelayMetrics } from './relay-metrics.ts';
import type { SuccessRule } from './channels/success-rates.ts';
import { createRelayObserver } from './relay-observer.ts';

export interface ObserveRelayDeps {
  readonly db: Database;
  readonly options: Options;
  readonly changes: Changes;
  readonly clock: { now(): number };
  readonly outbound: Outbound;
  readonly mail: Mail;
  readonly metrics: Registry;
  readonly successRule: SuccessRule | undefined;
  /** Sees the same events; undefined: none does. */
  readonly telemetry: RelayObserver | undefined;
  readonly log: { warn(facts: object, message: string): void };
  onError(error: unknown): void;
}

/** The observers of the relay: counts, metrics, automatic disabling and reminders. */
export interface RelayObservation {
  readonly observer: RelayObserver;
  readonly switches: ChannelSwitches;
  readonly notifyRoot: NotifyRoot;
  /** Writes the attempts that are counted in memory. */
  flushAttempts(): Promise<void>;
  close(): Promise<void>;
}

export const observeRelay = (deps: ObserveRelayDeps): RelayObservation => {
  const notifyRoot = createNotifyRoot({ ...deps, push: createMessagePusher(deps.outbound) });
  const switches = createChannelSwitches({ ...deps, notifyRoot });
  const tally = createChannelTally(deps);
  const reminders = createQuotaReminders(deps);
  const metrics = createRelayMetrics(deps.metrics);
  const refusals = createRefusalLog({ ...deps, metrics });
  const observer = createRelayObserver({ ...deps, tally, metrics, switches, reminders, refusals });
  return {
    observer: deps.telemetry === undefined ? observer : bothObservers(observer, deps.telemetry),
    switches,
    notifyRoot,
    flushAttempts: tally.flush,
    close: async () => void (await Promise.all([tally.close(), refusals.close()])),
  };
};
