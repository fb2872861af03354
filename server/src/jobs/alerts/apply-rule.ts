import { randomBytes } from 'node:crypto';
import {
  type AlertEvent,
  type AlertMessage,
  type AlertSubject,
  severities,
  subjectSchema,
} from '@weir/contract/alerts/alerts';
import * as v from 'valibot';
import { addAlertMessages } from '../../store/alerts/alert-outbox.ts';
import { type AlertRuleRow, findAlertRule } from '../../store/alerts/alert-rules.ts';
import { type AlertRow, changeAlert, lockOpenAlert, openAlert } from '../../store/alerts/alerts.ts';
import type { Database, DatabaseTransaction } from '../../store/database.ts';
import type { Found } from './find-subjects.ts';

/** Seconds between a message of an alert and one that tells further subjects: those that come meanwhile are told together. */
const gatherSeconds = 300;

/** A subject, and whether a message named it. */
const storedSchema = v.array(v.object({ ...subjectSchema.entries, told: v.boolean() }));
type Stored = v.InferOutput<typeof storedSchema>[number];

/** The subjects of a row. */
export const readSubjects = (text: string): readonly Stored[] => {
  const value: unknown = JSON.parse(text);
  return v.parse(storedSchema, value);
};

const plain = ({ key, name, value, note }: AlertSubject): AlertSubject => ({ key, name, value, note });

const severityOf = (text: string) => severities.find((severity) => severity === text) ?? 'critical';

interface Told {
  readonly alert: Pick<AlertRow, 'id'>;
  readonly rule: Pick<AlertRuleRow, 'name' | 'kind' | 'severity' | 'destinations'>;
  readonly event: AlertEvent;
  readonly found: Found;
  readonly now: number;
}

const idsOf = (text: string): readonly number[] => {
  const value: unknown = JSON.parse(text);
  return v.parse(v.array(v.number()), value);
};

const messageOf = ({ alert, rule, event, found, now }: Told): AlertMessage => ({
  type: `alert.${event}`,
  timestamp: new Date(now * 1000).toISOString(),
  data: {
    alert_id: alert.id,
    rule: rule.name,
    kind: rule.kind,
    severity: severityOf(rule.severity),
    subjects: found.subjects.map(plain),
    subject_count: found.count,
  },
});

/** An id of a message, the same at every try. */
export const createMessageId = (): string => `msg_${randomBytes(16).toString('hex')}`;

/** Puts a message for each destination of the rule into the outbox. */
const tell = async (trx: DatabaseTransaction, told: Told): Promise<void> => {
  const content = JSON.stringify(messageOf(told));
  const { alert, rule, event, now } = told;
  await addAlertMessages(
    trx,
    idsOf(rule.destinations).map((destination) => ({
      message_id: createMessageId(),
      alert_id: alert.id,
      destination_id: destination,
      event,
      severity: rule.severity,
      content,
      created_at: now,
    })),
  );
};

const storedText = (subjects: readonly AlertSubject[], told: (key: string) => boolean): string =>
  JSON.stringify(subjects.map((subject): Stored => ({ ...plain(subject), told: told(subject.key) })));

interface Applied {
  readonly rule: AlertRuleRow;
  readonly found: Found;
  /** Unix seconds. */
  readonly now: number;
}

const open = async (trx: DatabaseTransaction, { rule, found, now }: Applied): Promise<void> => {
  const alert = await openAlert(trx, {
    rule_id: rule.id,
    rule_name: rule.name,
    kind: rule.kind,
    severity: rule.severity,
    opened_at: now,
    notified_at: now,
    subjects: storedText(found.subjects, () => true),
    subject_count: found.count,
  });
  // Undefined: another node opened it at this moment.
  if (alert !== undefined) await tell(trx, { alert, rule, event: 'opened', found, now });
};

const resolve = async (trx: DatabaseTransaction, alert: AlertRow, { rule, now }: Applied): Promise<void> => {
  await changeAlert(trx, alert.id, { state: 'resolved', resolved_at: now });
  const found = { subjects: readSubjects(alert.subjects), count: alert.subject_count };
  await tell(trx, { alert, rule, event: 'resolved', found, now });
};

const goOn = async (trx: DatabaseTransaction, alert: AlertRow, { rule, found, now }: Applied): Promise<void> => {
  const known = new Set(readSubjects(alert.subjects).flatMap(({ key, told }) => (told ? [key] : [])));
  const isNew = found.subjects.some(({ key }) => !known.has(key));
  const silent = now - alert.notified_at;
  const isRepeated = rule.repeat_minutes > 0 && alert.acknowledged_at === 0 && silent >= rule.repeat_minutes * 60;
  const isTold = (isNew && silent >= gatherSeconds) || isRepeated;
  const subjects = storedText(found.subjects, (key) => isTold || known.has(key));
  const counted = { subjects, subject_count: found.count, severity: rule.severity };
  if (!isTold) {
    if (subjects !== alert.subjects || found.count !== alert.subject_count) await changeAlert(trx, alert.id, counted);
    return;
  }
  await changeAlert(trx, alert.id, { ...counted, notified_at: now });
  await tell(trx, { alert, rule, event: isNew ? 'changed' : 'repeated', found, now });
};

/**
 * Brings the alert of a rule to what was found, and puts the messages about it into the outbox: both in one transaction.
 * A rule that was changed meanwhile is left for the next round.
 */
export const applyRule = (db: Pick<Database, 'write'>, applied: Applied): Promise<void> =>
  db.write.transaction().execute(async (trx) => {
    const { rule, found } = applied;
    const current = await findAlertRule(trx, rule.id);
    if (current === undefined || JSON.stringify(current) !== JSON.stringify(rule)) return;
    const alert = await lockOpenAlert(trx, rule.id);
    if (alert === undefined) return found.count > 0 ? open(trx, applied) : undefined;
    return found.count > 0 ? goOn(trx, alert, applied) : resolve(trx, alert, applied);
  });
