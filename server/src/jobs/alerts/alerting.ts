import type { Mail } from '../../integrations/mail.ts';
import type { Outbound } from '../../integrations/outbound.ts';
import { releaseAlertClaims } from '../../store/alerts/alert-outbox.ts';
import { listAlertRules } from '../../store/alerts/alert-rules.ts';
import { listOpenRules } from '../../store/alerts/alerts.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import type { Database } from '../../store/database.ts';
import { leaveTask, ownTask } from '../../store/nodes/own-task.ts';
import type { Options } from '../../store/options.ts';
import { startLoop } from '../loop.ts';
import type { Reconciler } from '../reconcile.ts';
import { applyRule } from './apply-rule.ts';
import type { Certificates } from './certificates.ts';
import { createDeliverAlerts } from './deliver-alerts.ts';
import { findSubjects } from './find-subjects.ts';
import { createSendAlert, type SendAlert } from './send-alert.ts';

/** Evaluates the rules on one node, and delivers messages on every node. */
export interface Alerting {
  readonly send: SendAlert;
  /** Stops both; resolves once what is being done is done. */
  close(): Promise<void>;
}

export interface AlertingDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly options: Options;
  readonly clock: { now(): number };
  readonly outbound: Outbound;
  readonly mail: Mail;
  readonly reconciler: Pick<Reconciler, 'latest'>;
  readonly certificates: Certificates;
  /** Writes the attempts that this node counts in memory. */
  readonly flushAttempts: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const evaluateMs = 60_000;
const deliverMs = 5000;
/** Seconds after which another node evaluates. */
const lostSeconds = 180;
const task = 'alerts';

/** Evaluates every enabled rule once, where this node is the one that does; the failure of a rule does not keep the others. */
export const evaluateRules = async (
  deps: Pick<AlertingDeps, 'db' | 'clock' | 'reconciler' | 'certificates' | 'flushAttempts' | 'onError'>,
): Promise<void> => {
  const { db, clock, reconciler, certificates, onError } = deps;
  const now = Math.floor(clock.now() / 1000);
  if (!(await ownTask(db, { name: task, now, lostBefore: now - lostSeconds }))) return;
  const rules = (await listAlertRules(db.read)).filter(({ enabled }) => enabled === 1);
  if (rules.length === 0) return;
  await deps.flushAttempts();
  const open = await listOpenRules(db);
  for (const rule of rules) {
    try {
      const found = await findSubjects({ db, reconciliation: reconciler.latest, certificates }, rule, now);
      if (found === undefined || (found.count === 0 && !open.has(rule.id))) continue;
      await applyRule(db, { rule, found, now });
    } catch (error) {
      onError(error);
    }
  }
};

export const startAlerting = (deps: AlertingDeps): Alerting => {
  const send = createSendAlert(deps);
  const deliver = createDeliverAlerts({ ...deps, send });
  let isReleased = false;
  const deliverAll = async (signal: AbortSignal): Promise<void> => {
    if (!isReleased) await releaseAlertClaims(deps.db);
    isReleased = true;
    while (!signal.aborted && (await deliver()) > 0);
  };
  const endEvaluation = startLoop(() => evaluateRules(deps), { pauseMs: evaluateMs }, deps.onError);
  const endDelivery = startLoop(deliverAll, { pauseMs: deliverMs }, deps.onError);
  return {
    send,
    close: async () => {
      await Promise.all([endEvaluation(), endDelivery()]);
      // A node that starts, or starts again, need not wait until this one counts as lost.
      await leaveTask(deps.db, task).catch(deps.onError);
    },
  };
};
