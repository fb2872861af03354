import { formatQuota, formatTime } from '../../lib/format/format.ts';
import type { QuotaDisplay } from '../../lib/format/format.ts';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { AuditEntry } from './queries.ts';

/** Members of the wire, and columns that earlier releases noted, as the forms name them. */
const fields: Readonly<Record<string, Message>> = {
  base_url: m.channel_base_url,
  config: m.audit_field_config,
  display_name: m.user_display_name,
  email: m.user_email,
  expired_time: m.token_expires,
  group: m.channel_group,
  key: m.channel_key,
  model_mapping: m.channel_mapping,
  models: m.channel_models,
  must_change_password: m.user_password,
  name: m.column_name,
  other: m.audit_field_other,
  password: m.user_password,
  password_hash: m.user_password,
  priority: m.channel_priority,
  quota: m.redemption_quota,
  remain_quota: m.token_remaining,
  role: m.user_role,
  status: m.column_status,
  subnet: m.token_subnet,
  system_prompt: m.audit_field_system_prompt,
  type: m.channel_type,
  unlimited_quota: m.audit_field_unlimited,
  username: m.user_username,
  weight: m.channel_weight,
};

const fieldNames = (detail: string, t: Translate): string => {
  const names = detail.split(' ').map((name) => {
    const field = fields[name];
    return field ? t(field) : name;
  });
  return [...new Set(names)].join(t(m.audit_comma));
};

/** The forms in which the server notes amounts, counts and times. */
const codes = /^(\d+) codes of (\d+)$/;
const removed = /^(\d+): ([\d ]+)$/;
const cleared = /^before (\d+): (\d+)/;

/** Actions on tokens, whose notes name the owner if another user acted. */
const ofTokens = new Set(['create_token', 'delete_token', 'roll_token', 'end_token_overlap']);

const tokenNote = (part: string, t: Translate): string => {
  const [, owner] = /^user (\d+)$/.exec(part) ?? [];
  if (owner !== undefined) return t(m.audit_owner_id, { id: owner });
  const [, seconds] = /^(\d+) s$/.exec(part) ?? [];
  return seconds === undefined ? part : t(m.audit_overlap, { hours: String(Math.round(Number(seconds) / 360) / 10) });
};

/** What an entry says of its change, in words and money; other forms stay as they are. */
export const detailOf = (
  { action, detail }: Pick<AuditEntry, 'action' | 'detail'>,
  t: Translate,
  display: QuotaDisplay,
): string => {
  if (detail === '') return '';
  if (action.startsWith('update_')) return fieldNames(detail, t);
  if (action === 'top_up') return /^\d+$/.test(detail) ? formatQuota(Number(detail), display) : detail;
  if (ofTokens.has(action))
    return detail
      .split(', ')
      .map((part) => tokenNote(part, t))
      .join(t(m.audit_comma));
  const [, count, amount] = codes.exec(detail) ?? [];
  if (amount !== undefined)
    return t(m.audit_codes_of, { count: count ?? '', amount: formatQuota(Number(amount), display) });
  const [, channels, ids] = removed.exec(detail) ?? [];
  if (ids !== undefined) return t(m.audit_channels_removed, { count: channels ?? '', ids });
  const [, before, records] = cleared.exec(detail) ?? [];
  if (records === undefined) return detail;
  return t(m.audit_logs_before, { time: formatTime(Number(before)), count: records });
};

const kinds: Readonly<Record<string, (inputs: { id: string }) => string>> = {
  user: m.audit_user_id,
  channel: m.audit_channel_id,
  redemption: m.audit_redemption_id,
  token: m.audit_token_id,
  rate_limit: m.audit_rate_limit_id,
  budget: m.audit_budget_id,
  run: m.audit_run_id,
};

/** Subjects of actions on many objects. */
const wholes: Readonly<Record<string, Message>> = {
  all: m.audit_channels_all,
  disabled: m.audit_channels_disabled,
  logs: m.log_title,
};

/** Their subject is a name that was entered, or an option. */
const named = new Set([
  'login_failed',
  'create_redemptions',
  'update_option',
  'set_price',
  'remove_price',
  'propose_price_book',
  'approve_price_book',
  'dismiss_price_book',
  'restore_price_book',
]);

/** The changed object in words. */
export const subjectOf = ({ action, subject }: Pick<AuditEntry, 'action' | 'subject'>, t: Translate): string => {
  if (named.has(action)) return subject;
  const [kind = '', id = ''] = subject.split(' ');
  const numbered = /^\d+$/.test(id) ? kinds[kind] : undefined;
  if (numbered) return t(numbered, { id });
  const whole = wholes[subject];
  return whole ? t(whole) : subject;
};

/** The user who acted. What the gateway does by itself comes from no address. */
export const actorOf = (
  { actor_id: id, actor_name: name, address }: Pick<AuditEntry, 'actor_id' | 'actor_name' | 'address'>,
  t: Translate,
): string => {
  if (name !== '') return name;
  if (id > 0) return String(id);
  return t(address === '' ? m.audit_system : m.audit_signed_out);
};
