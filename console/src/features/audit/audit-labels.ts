import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

const labels: Readonly<Record<string, Message>> = {
  login: m.audit_login,
  login_failed: m.audit_login_failed,
  register: m.audit_register,
  bind: m.audit_bind,
  reset_password: m.audit_reset_password,
  create_access_token: m.audit_create_access_token,
  update_self: m.audit_update_self,
  delete_self: m.audit_delete_self,
  redeem: m.audit_redeem,
  create_user: m.audit_create_user,
  update_user: m.audit_update_user,
  delete_user: m.audit_delete_user,
  promote_user: m.audit_promote_user,
  demote_user: m.audit_demote_user,
  enable_user: m.audit_enable_user,
  disable_user: m.audit_disable_user,
  top_up: m.audit_top_up,
  create_token: m.audit_create_token,
  update_token: m.audit_update_token,
  delete_token: m.audit_delete_token,
  roll_token: m.audit_roll_token,
  end_token_overlap: m.audit_end_token_overlap,
  find_token: m.audit_find_token,
  create_alert_rule: m.audit_create_alert_rule,
  update_alert_rule: m.audit_update_alert_rule,
  delete_alert_rule: m.audit_delete_alert_rule,
  create_alert_destination: m.audit_create_alert_destination,
  update_alert_destination: m.audit_update_alert_destination,
  delete_alert_destination: m.audit_delete_alert_destination,
  test_alert: m.audit_test_alert,
  acknowledge_alert: m.audit_acknowledge_alert,
  create_channel: m.audit_create_channel,
  update_channel: m.audit_update_channel,
  delete_channel: m.audit_delete_channel,
  delete_channels: m.audit_delete_channels,
  auto_disable_channel: m.audit_auto_disable_channel,
  auto_enable_channel: m.audit_auto_enable_channel,
  test_channels: m.audit_test_channels,
  cancel_channel_tests: m.audit_cancel_channel_tests,
  create_redemptions: m.audit_create_redemptions,
  update_redemption: m.audit_update_redemption,
  delete_redemption: m.audit_delete_redemption,
  create_rate_limit: m.audit_create_rate_limit,
  update_rate_limit: m.audit_update_rate_limit,
  delete_rate_limit: m.audit_delete_rate_limit,
  create_budget: m.audit_create_budget,
  update_budget: m.audit_update_budget,
  delete_budget: m.audit_delete_budget,
  end_run: m.audit_end_run,
  update_option: m.audit_update_option,
  set_price: m.audit_set_price,
  propose_price_book: m.audit_propose_price_book,
  approve_price_book: m.audit_approve_price_book,
  dismiss_price_book: m.audit_dismiss_price_book,
  restore_price_book: m.audit_restore_price_book,
  remove_price: m.audit_remove_price,
  clear_logs: m.audit_clear_logs,
  import_bill: m.audit_import_bill,
  fetch_bill: m.audit_fetch_bill,
  delete_bill: m.audit_delete_bill,
  proxy_call: m.audit_proxy_call,
};

/** The action as a label; an action of a newer server keeps its name. */
export const labelOf = (action: string): Message => labels[action] ?? (() => action);

const hrefs: Readonly<Record<string, (id: string) => string>> = {
  user: (id) => `/user/edit/${id}`,
  channel: (id) => `/channel/${id}`,
  redemption: (id) => `/redemption/edit/${id}`,
  rate_limit: (id) => `/rate-limit/edit/${id}`,
  budget: (id) => `/budget/edit/${id}`,
  run: (id) => `/run/${id}`,
};

/** The page of the changed object; undefined: none. */
export const hrefOf = (subject: string): string | undefined => {
  const [kind = '', id = ''] = subject.split(' ');
  return /^\d+$/.test(id) ? hrefs[kind]?.(id) : undefined;
};
