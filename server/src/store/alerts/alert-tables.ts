import type { Generated } from 'kysely';

export interface AlertRulesTable {
  id: Generated<number>;
  name: string;
  kind: string;
  severity: string;
  /** Ids of destinations, as JSON. */
  destinations: string;
  enabled: number;
  /** What it counts depends on the kind; likewise `window_minutes` and `least`. */
  threshold: number;
  window_minutes: number;
  least: number;
  /** 0: an open alert is not repeated. */
  repeat_minutes: number;
}

export interface AlertDestinationsTable {
  id: Generated<number>;
  name: string;
  kind: string;
  /** Random: where `config_sealed` is sealed for. */
  seal_id: string;
  /** Address, secret and server, as sealed JSON. */
  config_sealed: string;
  /** Local times as `22:00`; empty: no quiet hours. */
  quiet_from: string;
  quiet_until: string;
  /** A zone of the IANA time zone database. */
  quiet_zone: string;
  enabled: number;
}

export interface AlertsTable {
  id: Generated<number>;
  rule_id: number;
  rule_name: string;
  kind: string;
  severity: string;
  /** `open` or `resolved`. */
  state: string;
  opened_at: number;
  /** Of the last message. */
  notified_at: number;
  /** 0: not yet. */
  resolved_at: number;
  acknowledged_at: number;
  acknowledged_by: string;
  /** What it is about, as JSON; of many, some. */
  subjects: string;
  subject_count: number;
}

/** The outbox: written together with the change of an alert, and sent by any node. */
export interface AlertMessagesTable {
  id: Generated<number>;
  /** Of every try; receivers tell repeated deliveries by it. */
  message_id: string;
  alert_id: number;
  destination_id: number;
  event: string;
  severity: string;
  /** As JSON. */
  content: string;
  /** `waiting`, `sent` or `dead`. */
  state: string;
  tries: number;
  next_at: number;
  /** Until when a node has it; 0: none. */
  claimed_until: number;
  /** The name of that node. */
  claimed_by: string;
  created_at: number;
  ended_at: number;
  last_error: string;
}
