import { deleteOldAlerts } from '../store/alerts/alerts.ts';
import { deleteOldAttempts } from '../store/users/attempts.ts';
import { deleteOldChannelAttempts, slotSeconds } from '../store/channels/channel-health.ts';
import { foldUsesByNode } from '../store/channels/used-quota.ts';
import { deleteExpiredCodes } from '../store/users/codes.ts';
import type { Database } from '../store/database.ts';
import { deleteExpiredUpstreamStates } from '../store/upstream-states.ts';
import { deleteOldNodes } from '../store/nodes/node-reports.ts';
import { deleteExpiredSessions } from '../store/users/sessions.ts';
import { startLoop } from './loop.ts';

const pauseMs = 60 * 60_000;
/** Seconds after which an attempt no longer counts. */
const attemptsKept = 86_400;
/** Seconds: longer than the period of the channel health. */
const healthKept = 2 * 86_400;
/** Seconds that a resolved alert and its messages stay. */
const alertsKept = 90 * 86_400;
/** Seconds that a node which is gone is listed. */
const nodesKept = 7 * 86_400;

interface CleanUpOptions {
  readonly db: Database;
  readonly clock: { now(): number };
  readonly onError: (error: unknown) => void;
}

/** Removes what expired: sessions, codes, counted attempts to sign in, ids that upstreams gave, counted attempts on channels, old alerts, and nodes that are gone. Adds up what nodes charged. */
export const cleanUp = async ({ db, clock }: Omit<CleanUpOptions, 'onError'>): Promise<void> => {
  const now = Math.floor(clock.now() / 1000);
  await deleteExpiredSessions(db, now);
  await deleteExpiredCodes(db, now);
  await deleteOldAttempts(db, now - attemptsKept);
  await deleteExpiredUpstreamStates(db, now);
  await deleteOldChannelAttempts(db, Math.floor((now - healthKept) / slotSeconds));
  await deleteOldAlerts(db, now - alertsKept);
  await deleteOldNodes(db, now - nodesKept);
  await foldUsesByNode(db);
};

/** Cleans up now and every hour, until the returned function ends it. */
export const startCleanUp = (options: CleanUpOptions): (() => Promise<void>) =>
  startLoop(() => cleanUp(options), { pauseMs }, options.onError);
