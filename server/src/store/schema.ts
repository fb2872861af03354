import type { Generated } from 'kysely';
import type {
  AlertDestinationsTable,
  AlertMessagesTable,
  AlertRulesTable,
  AlertsTable,
} from './alerts/alert-tables.ts';
import type { LedgerArchivesTable, LedgerFoldedPeriodsTable, LedgerFoldedUsesTable } from './archive/archive-tables.ts';
import type { BudgetPeriodsTable, BudgetsTable } from './budgets/budget-tables.ts';
import type { VendorBillLinesTable, VendorBillsTable } from './bills/bill-tables.ts';
import type { ChannelUsesTable } from './channels/channel-use-table.ts';
import type { LogColumns } from './logs/log-columns.ts';
import type { NodesTable } from './nodes/node-table.ts';
import type { RefusalsTable, RefusalSumsTable } from './refusals/refusal-tables.ts';
import type { RunsTable } from './runs/run-table.ts';
import type { LedgerMonthsTable, LedgerMonthUsesTable } from './statements/statement-tables.ts';
import type { InvitationsTable, KeyPresetsTable } from './invitations/invitation-tables.ts';
import type { TeamMembersTable } from './teams/team-table.ts';
import type { RateLimitsTable } from './rate-limit-table.ts';
import type { ExpiryRemindersTable, ReplacedKeysTable, TokensTable } from './token-tables.ts';
import type { BookProposalsTable, OwnPricesTable, PriceBooksTable } from './prices/price-tables.ts';

/**
 * The tables, the same on SQLite and PostgreSQL. Booleans are 0 or 1; times are unix seconds unless the name
 * says milliseconds; amounts are whole quota units. Secrets are sealed text (`secrets.ts`), keys are found by keyed digest.
 */
export interface Schema {
  users: UsersTable;
  tokens: TokensTable;
  channels: ChannelsTable;
  abilities: AbilitiesTable;
  redemptions: RedemptionsTable;
  options: OptionsTable;
  price_books: PriceBooksTable;
  book_proposals: BookProposalsTable;
  own_prices: OwnPricesTable;
  logs: LogsTable;
  log_hours: LogHoursTable;
  log_hours_of_all: LogHoursOfAllTable;
  log_hours_of_models: LogHoursOfModelsTable;
  log_hours_of_channels: LogHoursOfChannelsTable;
  log_hours_of_tokens: LogHoursOfTokensTable;
  log_hours_of_users: LogHoursOfUsersTable;
  log_days: LogDaysTable;
  log_days_of_all: LogDaysOfAllTable;
  log_days_of_models: LogDaysOfModelsTable;
  log_days_summed: LogDaysSummedTable;
  log_days_by_user_model: LogDaysByUserModelTable;
  log_days_by_user_token: LogDaysByUserTokenTable;
  log_days_of_tokens: LogDaysOfTokensTable;
  log_days_of_users: LogDaysOfUsersTable;
  log_days_by_token: LogDaysByTokenTable;
  log_days_by_user: LogDaysByUserTable;
  ledger: LedgerTable;
  holds: HoldsTable;
  sessions: SessionsTable;
  codes: CodesTable;
  attempts: AttemptsTable;
  idempotency: IdempotencyTable;
  audit: AuditTable;
  instance: InstanceTable;
  channel_uses: ChannelUsesTable;
  channel_attempts: ChannelAttemptsTable;
  channel_failures: ChannelFailuresTable;
  quota_reminders: QuotaRemindersTable;
  expiry_reminders: ExpiryRemindersTable;
  replaced_keys: ReplacedKeysTable;
  upstream_states: UpstreamStatesTable;
  rate_limits: RateLimitsTable;
  budgets: BudgetsTable;
  budget_periods: BudgetPeriodsTable;
  runs: RunsTable;
  nodes: NodesTable;
  team_members: TeamMembersTable;
  key_presets: KeyPresetsTable;
  invitations: InvitationsTable;
  ledger_months: LedgerMonthsTable;
  ledger_month_uses: LedgerMonthUsesTable;
  ledger_archives: LedgerArchivesTable;
  ledger_folded_uses: LedgerFoldedUsesTable;
  ledger_folded_periods: LedgerFoldedPeriodsTable;
  refusals: RefusalsTable;
  refusal_sums: RefusalSumsTable;
  vendor_bills: VendorBillsTable;
  vendor_bill_lines: VendorBillLinesTable;
  alert_rules: AlertRulesTable;
  alert_destinations: AlertDestinationsTable;
  alerts: AlertsTable;
  alert_messages: AlertMessagesTable;
}

export interface UsersTable {
  id: Generated<number>;
  username: string;
  /** See `nameKeyOf`; empty: the name is from before there were keys. */
  name_key: Generated<string>;
  display_name: string;
  /** Encoded argon2id, or bcrypt of an imported account. */
  password_hash: string;
  must_change_password: number;
  role: number;
  /** 1 enabled, 2 disabled, 3 deleted: the row stays as a tombstone for the ledger. */
  status: number;
  email: string;
  /** Login name at the code host, as the wire shows it; `github_uid` is what identifies the account. */
  github_id: string;
  github_uid: string;
  wechat_id: string;
  lark_id: string;
  oidc_id: string;
  group: string;
  /** Spendable now; `available + held` is `quota` on the wire. */
  available: number;
  held: number;
  used: number;
  request_count: number;
  aff_code: string;
  inviter_id: number;
  /** Keyed digest of the system access token; empty: none. */
  access_token_digest: string;
  created_time: number;
  /** 1: the account of a team, without a sign-in. */
  is_team: Generated<number>;
}

export interface ChannelsTable {
  id: Generated<number>;
  type: number;
  key_sealed: string;
  key_digest: string;
  key_tail: string; // last four characters of the key, for the search
  /** 1 enabled, 2 disabled by hand, 3 disabled by the system. */
  status: number;
  /** Why the system disabled it; empty otherwise. */
  status_reason: string;
  name: string;
  weight: number;
  priority: number;
  created_time: number;
  test_time: number;
  response_time: number; // milliseconds
  test_error: string; // empty: the last test passed, or there was none
  base_url: string;
  other: string;
  balance: number;
  balance_currency: string; // `USD` or `CNY`; empty: the unit of the channel's type
  balance_updated_time: number;
  models: string;
  group: string;
  used: number;
  model_mapping: string;
  config: string;
  system_prompt: string;
  deleted_time: number;
}

/** One row per group and model that a channel serves: what the relay chooses from. */
export interface AbilitiesTable {
  group: string;
  model: string;
  channel_id: number;
  enabled: number;
  priority: number;
  weight: number;
}

export interface RedemptionsTable {
  id: Generated<number>;
  /** The user who made the code. */
  user_id: number;
  key_digest: string;
  key_sealed: string;
  /** 1 unused, 2 disabled, 3 used. */
  status: number;
  name: string;
  quota: number;
  created_time: number;
  redeemed_time: number;
  redeemed_user_id: number;
  deleted_time: number;
}

export interface OptionsTable {
  key: string;
  value: string;
  /** Rises with every change of any option, so that nodes see what changed. */
  version: number;
}

export interface LogsTable extends LogColumns {
  id: Generated<number>;
}

/** Consumption summed by hour (unix seconds / 3600, floored), kept in the transaction of each log row. */
export interface LogHoursTable {
  hour: number;
  user_id: number;
  token_name: string;
  model_name: string;
  channel_id: number;
  /** 0: the sums of an earlier version, beyond its rows. */
  token_id: Generated<number>;
  requests: number;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Nano-dollars: the known costs of its calls. */
  cost: Generated<number>;
  /** Quota units of the calls whose cost is known. */
  costed: Generated<number>;
}

type SumColumns = Omit<LogHoursTable, 'hour' | 'user_id' | 'token_name' | 'model_name' | 'channel_id' | 'token_id'>;
/** Closed hours summed once more by one column, `log-days.ts`. */
export type LogHoursOfAllTable = SumColumns & Pick<LogHoursTable, 'hour'>;
export type LogHoursOfModelsTable = SumColumns & Pick<LogHoursTable, 'hour' | 'model_name'>;
export type LogHoursOfChannelsTable = SumColumns & Pick<LogHoursTable, 'hour' | 'channel_id'>;
export type LogHoursOfTokensTable = SumColumns & Pick<LogHoursTable, 'hour' | 'token_name'>;
export type LogHoursOfUsersTable = SumColumns & Pick<LogHoursTable, 'hour' | 'user_id'>;

/** The number of hours of a day, counted from its first, that are in all day tables; 24: the day is read from them. */
export interface LogDaysSummedTable {
  day: number;
  hours: number;
  /** The number of those that are in all hour tables, too. */
  hours_by_name: Generated<number>;
}

/** Closed hours summed once more by day (unix seconds / 86400, floored), `log-days.ts`. */
export type LogDaysTable = Omit<LogHoursTable, 'hour' | 'user_id' | 'token_name' | 'token_id'> & {
  readonly day: number;
};
export type LogDaysOfAllTable = Omit<LogDaysTable, 'model_name' | 'channel_id'>;
export type LogDaysOfModelsTable = Omit<LogDaysTable, 'channel_id'>;
export type LogDaysByUserModelTable = Omit<LogHoursTable, 'hour' | 'token_name' | 'channel_id' | 'token_id'> & {
  readonly day: number;
};
export type LogDaysByUserTokenTable = Omit<LogDaysByUserTable, 'model_name' | 'channel_id'>;
export type LogDaysOfTokensTable = Omit<LogDaysByTokenTable, 'model_name' | 'channel_id'>;
export type LogDaysOfUsersTable = Omit<LogDaysByUserModelTable, 'model_name'>;
export type LogDaysByTokenTable = Omit<LogHoursTable, 'hour' | 'user_id' | 'token_id'> & { readonly day: number };
export type LogDaysByUserTable = Omit<LogHoursTable, 'hour' | 'token_id'> & { readonly day: number };

export type LedgerKind = 'grant' | 'invite' | 'redeem' | 'adjust' | 'allocate' | 'use' | 'correction';

/** Append-only: the database refuses updates and deletes. */
export interface LedgerTable {
  id: Generated<number>;
  /** Names the operation once and for all; a repeated operation finds its key taken and does nothing. */
  op_key: string;
  kind: LedgerKind;
  user_id: number;
  /** 0: the entry concerns the account alone. An `allocate` entry concerns the token alone. */
  token_id: number;
  channel_id: number;
  /** Signed for credits, debits and allocations; positive for `use`. */
  amount: number;
  /** The cost of a use beyond every balance that could pay it; 0 in normal operation. */
  unrecovered: number;
  request_id: string;
  price_version: number;
  /** 1: usage was counted here because the upstream reported none that is plausible. */
  estimated: number;
  actor_id: number;
  reason: string;
  created_at: number;
  /** Periods of budgets that a use counts against (`period-names.ts`); empty: none. */
  budgets: Generated<string>;
}

/** One open reservation per running request. A row is removed by the settlement or release that ends it. */
export interface HoldsTable {
  request_id: string;
  user_id: number;
  token_id: number;
  channel_id: number;
  /** Held on the user's account, and on the token's too where `token_limited` is 1. */
  amount: number;
  token_limited: number;
  price_version: number;
  model_name: string;
  node: string;
  /** Rises at every start of a node: holds of an older epoch belong to a dead process. */
  epoch: number;
  opened_at: number;
  /** Price of what reached the client so far, from the last checkpoint. */
  progress: number;
  /** Periods of budgets that it is held on too (`period-names.ts`); empty: none. */
  budgets: string;
}

export interface SessionsTable {
  /** SHA-256 of the cookie's value. */
  digest: string;
  user_id: number;
  created_at: number;
  seen_at: number;
  expires_at: number;
  /** JSON object text for what a sign-in in progress must remember. */
  data: string;
}

export interface CodesTable {
  purpose: string;
  subject: string;
  digest: string;
  tries: number;
  created_at: number;
  expires_at: number;
}

/** Attempts at something that may be guessed, since the last one that succeeded. */
export interface AttemptsTable {
  /** The action that was tried, as `login:user:5`. */
  subject: string;
  tries: number;
  last_at: number;
  /** Before this time no further attempt is looked at. */
  blocked_until: number;
}

export interface IdempotencyTable {
  key: string;
  user_id: number;
  /** SHA-256 of method, path and body. */
  request_digest: string;
  status: number;
  body: string;
  created_at: number;
}

/** Append-only and hash-chained: changes through the management API, with their users. */
export interface AuditTable {
  id: Generated<number>;
  created_at: number;
  actor_id: number;
  actor_name: string;
  action: string;
  subject: string;
  detail: string;
  address: string;
  request_id: string;
  previous_hash: string;
  hash: string;
}

/** Facts of this database: fingerprint of the secret key, epochs, versions. */
export interface InstanceTable {
  key: string;
  value: string;
}

/** Attempts on a channel, counted by quarter of an hour. */
export interface ChannelAttemptsTable {
  channel_id: number;
  /** Unix seconds / 900, floored. */
  slot: number;
  /** `ok`, or how they failed. */
  outcome: string;
  /** Their duration: see `latency-bands.ts`. */
  band: number;
  count: number;
}

/** The latest failures of each channel. */
export interface ChannelFailuresTable {
  id: Generated<number>;
  channel_id: number;
  created_at: number;
  kind: string;
  /** The upstream's; 0: it gave none. */
  status: number;
  message: string;
  model_name: string;
  request_id: string;
}

/** Accounts whose owner was reminded that the balance runs out. */
export interface QuotaRemindersTable {
  user_id: number;
  /** The account's total credits at that time: another reminder needs another credit. */
  credited: number;
}

/** What upstreams keep of answers (`upstream-states.ts`). */
export interface UpstreamStatesTable {
  id: string;
  user_id: number;
  /** The id of the answer that it came with. */
  origin_id: string;
  channel_key: string;
  tokens: number | null;
  expires_at: number;
}
