import { m } from '../../paraglide/messages.js';
import type { Section } from './setting.ts';

const tab = 'operation';

/** The tab of the running gateway: links, logs, monitoring, quota and prices. */
export const operationSections: readonly Section[] = [
  {
    id: 'general',
    tab,
    title: m.setting_section_general,
    save: m.setting_save_general,
    settings: [
      { key: 'TopUpLink', label: m.option_topup_link, hint: m.option_topup_link_hint, control: 'url' },
      { key: 'ChatLink', label: m.option_chat_link, hint: m.option_chat_link_hint, control: 'url' },
      {
        key: 'QuotaPerUnit',
        label: m.option_quota_per_unit,
        hint: m.option_quota_per_unit_hint,
        control: 'number',
        step: '0.01',
      },
      { key: 'RetryTimes', label: m.option_retry_times, hint: m.option_retry_times_hint, control: 'number', step: '1' },
      {
        key: 'DisplayInCurrencyEnabled',
        label: m.option_in_currency,
        hint: m.option_in_currency_hint,
        control: 'switch',
      },
      { key: 'DisplayTokenStatEnabled', label: m.option_token_stat, hint: m.option_token_stat_hint, control: 'switch' },
      {
        key: 'ApproximateTokenEnabled',
        label: m.option_approximate,
        hint: m.option_approximate_hint,
        control: 'switch',
      },
    ],
  },
  {
    id: 'logs',
    tab,
    title: m.setting_section_logs,
    part: 'clear-logs',
    settings: [
      { key: 'LogConsumeEnabled', label: m.option_log_consume, hint: m.option_log_consume_hint, control: 'switch' },
    ],
  },
  {
    id: 'monitor',
    tab,
    title: m.setting_section_monitor,
    save: m.setting_save_monitor,
    settings: [
      {
        key: 'ChannelDisableThreshold',
        label: m.option_disable_threshold,
        hint: m.option_disable_threshold_hint,
        control: 'number',
        step: 'any',
        unit: m.setting_seconds,
      },
      {
        key: 'QuotaRemindThreshold',
        label: m.option_remind_threshold,
        hint: m.option_remind_threshold_hint,
        control: 'quota',
      },
      {
        key: 'AutomaticDisableChannelEnabled',
        label: m.option_auto_disable,
        hint: m.option_auto_disable_hint,
        control: 'switch',
      },
      {
        key: 'AutomaticEnableChannelEnabled',
        label: m.option_auto_enable,
        hint: m.option_auto_enable_hint,
        control: 'switch',
      },
    ],
  },
  {
    id: 'quota',
    tab,
    title: m.setting_section_quota,
    save: m.setting_save_quota,
    settings: [
      { key: 'QuotaForNewUser', label: m.option_quota_new_user, control: 'quota' },
      {
        key: 'AccountsPerHour',
        label: m.option_accounts_per_hour,
        hint: m.option_accounts_per_hour_hint,
        control: 'number',
        step: '1',
      },
      {
        key: 'PreConsumedQuota',
        label: m.option_pre_consumed,
        hint: m.option_pre_consumed_hint,
        control: 'number',
        step: '1',
        unit: m.setting_tokens,
      },
      { key: 'QuotaForInviter', label: m.option_quota_inviter, control: 'quota' },
      { key: 'QuotaForInvitee', label: m.option_quota_invitee, control: 'quota' },
    ],
  },
  {
    id: 'ratios',
    tab,
    title: m.setting_section_ratios,
    text: m.setting_section_ratios_text,
    save: m.setting_save_ratios,
    settings: [
      { key: 'ModelRatio', label: m.option_model_ratio, hint: m.option_model_ratio_hint, control: 'ratios' },
      {
        key: 'CompletionRatio',
        label: m.option_completion_ratio,
        hint: m.option_completion_ratio_hint,
        control: 'ratios',
      },
      { key: 'GroupRatio', label: m.option_group_ratio, hint: m.option_group_ratio_hint, control: 'ratios' },
      { key: 'PartRatio', label: m.option_part_ratio, hint: m.option_part_ratio_hint, control: 'ratios' },
    ],
  },
];
