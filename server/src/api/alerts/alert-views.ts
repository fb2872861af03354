import {
  type Alert,
  type AlertDestination,
  alertKinds,
  type AlertRule,
  destinationKinds,
  severities,
} from '@weir/contract/alerts/alerts';
import * as v from 'valibot';
import { readSubjects } from '../../jobs/alerts/apply-rule.ts';
import { type AlertDestinationRow, openDestination } from '../../store/alerts/alert-destinations.ts';
import type { AlertDeliveries } from '../../store/alerts/alert-outbox.ts';
import type { AlertRuleRow } from '../../store/alerts/alert-rules.ts';
import type { AlertRow } from '../../store/alerts/alerts.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';

const kindSchema = v.picklist(alertKinds);
const severitySchema = v.picklist(severities);
const destinationKindSchema = v.picklist(destinationKinds);
const idsSchema = v.array(v.number());

export const toRule = (row: AlertRuleRow): AlertRule => {
  const destinations: unknown = JSON.parse(row.destinations);
  return {
    id: row.id,
    name: row.name,
    kind: v.parse(kindSchema, row.kind),
    severity: v.parse(severitySchema, row.severity),
    enabled: row.enabled === 1,
    threshold: row.threshold,
    window_minutes: row.window_minutes,
    least: row.least,
    repeat_minutes: row.repeat_minutes,
    destinations: v.parse(idsSchema, destinations),
  };
};

/** URLs of chats are secrets themselves: their host is enough to know them by. */
const shownAddress = (kind: string, address: string): string =>
  kind === 'mail' || kind === 'telegram' ? address : new URL(address).host;

export const toDestination = (row: AlertDestinationRow, secrets: Secrets): AlertDestination => {
  const { address, secret, server } = openDestination(secrets, row);
  const { quiet_from: from, quiet_until: until, quiet_zone: zone } = row;
  return {
    id: row.id,
    name: row.name,
    kind: v.parse(destinationKindSchema, row.kind),
    enabled: row.enabled === 1,
    address: shownAddress(row.kind, address),
    has_secret: secret !== '',
    server,
    quiet: from === '' ? null : { from, until, zone },
  };
};

const noDeliveries: AlertDeliveries = { waiting: 0, sent: 0, dead: 0, lastError: '' };

export const toAlert = (row: AlertRow, deliveries: AlertDeliveries = noDeliveries): Alert => ({
  id: row.id,
  rule_id: row.rule_id,
  rule_name: row.rule_name,
  kind: v.parse(kindSchema, row.kind),
  severity: v.parse(severitySchema, row.severity),
  state: row.state === 'open' ? 'open' : 'resolved',
  opened_at: row.opened_at,
  resolved_at: row.resolved_at,
  acknowledged_at: row.acknowledged_at,
  acknowledged_by: row.acknowledged_by,
  subjects: readSubjects(row.subjects).map(({ key, name, value, note }) => ({ key, name, value, note })),
  subject_count: row.subject_count,
  waiting: deliveries.waiting,
  sent: deliveries.sent,
  dead: deliveries.dead,
  last_error: deliveries.lastError,
});
