import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { idParams, integer, integerInput, pageQuery, textInput, textQuery, zoneInput } from '../wire.ts';

export const alertKinds = [
  'user_balance',
  'budget',
  'channel_disabled',
  'channel_errors',
  'channel_latency',
  'unpriced_model',
  'ledger_mismatch',
  'key_expires',
  'certificate_expires',
  'spend_anomaly',
] as const;
export type AlertKind = (typeof alertKinds)[number];

export const severities = ['warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

export const destinationKinds = [
  'mail',
  'webhook',
  'pusher',
  'slack',
  'feishu',
  'dingtalk',
  'wecom',
  'telegram',
] as const;
export type DestinationKind = (typeof destinationKinds)[number];

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly initial: number;
}

/** The figures of a rule that count; the others are stored as 0. */
interface RuleFigures {
  /**
   * Quota (`user_balance`), percent of the period's amount (`budget`), percent of attempts (`channel_errors`), milliseconds (`channel_latency`), refused calls
   * (`unpriced_model`), days (`key_expires`, `certificate_expires`), percent of the usual (`spend_anomaly`).
   */
  readonly threshold?: Bounds;
  /** Minutes looked back; counted in quarters of an hour. */
  readonly window_minutes?: Bounds;
  /** Attempts (`channel_errors`, `channel_latency`) or quota (`spend_anomaly`) below which nothing is concluded. */
  readonly least?: Bounds;
}

const windowBounds: Bounds = { min: 15, max: 1440, initial: 60 };
const callsBounds: Bounds = { min: 1, max: 1_000_000, initial: 10 };

export const ruleFigures: Readonly<Record<AlertKind, RuleFigures>> = {
  user_balance: { threshold: { min: 1, max: 1e15, initial: 500_000 } },
  budget: { threshold: { min: 1, max: 100, initial: 80 } },
  channel_disabled: {},
  channel_errors: {
    threshold: { min: 1, max: 100, initial: 50 },
    window_minutes: windowBounds,
    least: callsBounds,
  },
  channel_latency: {
    threshold: { min: 10, max: 1_800_000, initial: 30_000 },
    window_minutes: windowBounds,
    least: callsBounds,
  },
  unpriced_model: { threshold: { min: 1, max: 1_000_000, initial: 1 }, window_minutes: windowBounds },
  ledger_mismatch: {},
  key_expires: { threshold: { min: 1, max: 365, initial: 7 } },
  certificate_expires: { threshold: { min: 1, max: 365, initial: 14 } },
  spend_anomaly: {
    threshold: { min: 110, max: 100_000, initial: 300 },
    least: { min: 1, max: 1e15, initial: 500_000 },
  },
};

/** Characters. */
export const alertNameMax = 60;
export const rulesMax = 100;
export const destinationsMax = 50;
export const repeatMinutesMax = 43_200;
/** Subjects that an alert and its messages name. */
export const subjectsMax = 50;

const nameInput = v.pipe(textInput(alertNameMax), v.minLength(1));

const ruleSchema = v.object({
  id: integer,
  name: v.string(),
  kind: v.picklist(alertKinds),
  severity: v.picklist(severities),
  enabled: v.boolean(),
  threshold: integer,
  window_minutes: integer,
  least: integer,
  /** Minutes after which an open alert that is not acknowledged is sent again; 0: never. */
  repeat_minutes: integer,
  /** Ids of the destinations that its messages go to. */
  destinations: v.array(integer),
});
export type AlertRule = v.InferOutput<typeof ruleSchema>;

const ruleInput = {
  name: nameInput,
  severity: v.picklist(severities),
  enabled: v.boolean(),
  threshold: v.optional(integerInput, 0),
  window_minutes: v.optional(integerInput, 0),
  least: v.optional(integerInput, 0),
  repeat_minutes: v.pipe(integerInput, v.minValue(0), v.maxValue(repeatMinutesMax)),
  destinations: v.pipe(v.array(integerInput), v.maxLength(destinationsMax)),
};

export const listAlertRules = endpoint({
  method: 'GET',
  path: '/api/alert/rule/',
  access: 'admin',
  effect: false,
  summary: `All alert rules; there are at most ${rulesMax}.`,
  data: v.array(ruleSchema),
});
export const createAlertRule = endpoint({
  method: 'POST',
  path: '/api/alert/rule/',
  access: 'admin',
  effect: true,
  summary: 'Create an alert rule.',
  body: v.object({ ...ruleInput, kind: v.picklist(alertKinds) }),
  data: ruleSchema,
});
export const updateAlertRule = endpoint({
  method: 'PUT',
  path: '/api/alert/rule/',
  access: 'admin',
  effect: true,
  summary: 'Change an alert rule; its kind stays. A rule that is disabled closes its open alert without a message.',
  body: v.object({ ...ruleInput, id: integerInput }),
  data: ruleSchema,
});
export const deleteAlertRule = endpoint({
  method: 'DELETE',
  path: '/api/alert/rule/:id',
  access: 'admin',
  effect: true,
  summary: 'Delete an alert rule and close its open alert without a message.',
  params: idParams,
});

/** A local time as `22:00`. */
const timeInput = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/));

/** Hours in which messages of severity `warning` wait; they may pass midnight. */
const quietSchema = v.object({
  from: timeInput,
  until: timeInput,
  zone: zoneInput,
});
export type QuietHours = v.InferOutput<typeof quietSchema>;

const destinationSchema = v.object({
  id: integer,
  name: v.string(),
  kind: v.picklist(destinationKinds),
  enabled: v.boolean(),
  /** Mail addresses, a chat, or the host of a URL: the rest of a URL may be secret. */
  address: v.string(),
  has_secret: v.boolean(),
  /** Of `telegram`: the Bot API server; empty: the one of Telegram. */
  server: v.string(),
  quiet: v.nullable(quietSchema),
});
export type AlertDestination = v.InferOutput<typeof destinationSchema>;

const destinationInput = {
  name: nameInput,
  enabled: v.boolean(),
  /** Mail addresses joined by `;`, the chat of `telegram`, else the whole URL. */
  address: v.optional(textInput(2048), ''),
  /**
   * `webhook`: the signing secret, `whsec_` and base64 or any text; `pusher`: its token; `feishu` and `dingtalk`: the signing
   * secret, may be empty; `telegram`: the token of the bot.
   */
  secret: v.optional(textInput(512), ''),
  server: v.optional(textInput(2048), ''),
  quiet: v.nullable(quietSchema),
};

export const listAlertDestinations = endpoint({
  method: 'GET',
  path: '/api/alert/destination/',
  access: 'admin',
  effect: false,
  summary: `All destinations of alerts, without their secrets; there are at most ${destinationsMax}.`,
  data: v.array(destinationSchema),
});
export const createAlertDestination = endpoint({
  method: 'POST',
  path: '/api/alert/destination/',
  access: 'admin',
  effect: true,
  summary: 'Create a destination of alerts.',
  body: v.object({ ...destinationInput, kind: v.picklist(destinationKinds) }),
  data: destinationSchema,
});
export const updateAlertDestination = endpoint({
  method: 'PUT',
  path: '/api/alert/destination/',
  access: 'admin',
  effect: true,
  summary:
    'Change a destination; its kind stays. An empty address or secret keeps the stored one; another address or server needs the secret again.',
  body: v.object({ ...destinationInput, id: integerInput }),
  data: destinationSchema,
});
export const deleteAlertDestination = endpoint({
  method: 'DELETE',
  path: '/api/alert/destination/:id',
  access: 'admin',
  effect: true,
  summary: 'Delete a destination. Messages that wait for it are not sent.',
  params: idParams,
});
export const testAlertDestination = endpoint({
  method: 'POST',
  path: '/api/alert/destination/:id/test',
  access: 'admin',
  effect: true,
  summary: 'Send a test message to a destination, once, also in quiet hours.',
  params: idParams,
});

/** What an alert is about. */
export const subjectSchema = v.object({
  /** Tells subjects of one rule apart, such as `channel 3`. */
  key: v.string(),
  name: v.string(),
  /** In the unit of the rule: quota, percent, milliseconds, calls, unix seconds of an expiry; 0 where there is none. */
  value: integer,
  /** More, such as why a channel was disabled; may be empty. */
  note: v.string(),
});
export type AlertSubject = v.InferOutput<typeof subjectSchema>;

const alertSchema = v.object({
  id: integer,
  rule_id: integer,
  rule_name: v.string(),
  kind: v.picklist(alertKinds),
  severity: v.picklist(severities),
  state: v.picklist(['open', 'resolved']),
  /** Unix seconds, as all times. */
  opened_at: integer,
  /** 0: not yet. */
  resolved_at: integer,
  acknowledged_at: integer,
  acknowledged_by: v.string(),
  subjects: v.array(subjectSchema),
  /** Of all subjects. */
  subject_count: integer,
  /** Messages by what became of them. */
  waiting: integer,
  sent: integer,
  dead: integer,
  /** Why the newest message that failed could not be delivered, the last time; may be empty. */
  last_error: v.string(),
});
export type Alert = v.InferOutput<typeof alertSchema>;

export const listAlerts = endpoint({
  method: 'GET',
  path: '/api/alert/',
  access: 'admin',
  effect: false,
  summary: 'One page of the history of alerts, newest first; with `state=open` or `state=resolved` only those.',
  query: v.object({ p: pageQuery, state: textQuery }),
  data: v.array(alertSchema),
});
export const acknowledgeAlert = endpoint({
  method: 'POST',
  path: '/api/alert/:id/acknowledge',
  access: 'admin',
  effect: true,
  summary: 'Acknowledge an open alert: it is not repeated any more.',
  params: idParams,
});

/** What happened that a message tells. */
export const alertEvents = ['opened', 'changed', 'repeated', 'resolved', 'test'] as const;
export type AlertEvent = (typeof alertEvents)[number];

/** The body of a webhook, and the content of every other message. */
export const alertMessageSchema = v.object({
  type: v.picklist(alertEvents.map((event) => `alert.${event}` as const)),
  /** UTC, as `2026-11-24T10:00:00.000Z`: when the alert changed. */
  timestamp: v.string(),
  data: v.object({
    /** 0: a test. */
    alert_id: integer,
    rule: v.string(),
    kind: v.string(),
    severity: v.picklist(severities),
    subjects: v.array(subjectSchema),
    subject_count: integer,
  }),
});
export type AlertMessage = v.InferOutput<typeof alertMessageSchema>;
