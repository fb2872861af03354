import type { LimitMetric, LimitPeriod, LimitScope } from '@weir/contract/limits/limit-rules';
import type { RateLimit } from '@weir/contract/limits/rate-limits';
import { language } from '../../lib/browser/locale.ts';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

export const scopeTexts: Readonly<Record<LimitScope, Message>> = {
  token: m.rate_scope_token,
  user: m.rate_scope_user,
  group: m.rate_scope_group,
  model: m.rate_scope_model,
  channel: m.rate_scope_channel,
  channel_key: m.rate_scope_channel_key,
  token_model: m.rate_scope_token_model,
  user_model: m.rate_scope_user_model,
  group_model: m.rate_scope_group_model,
  channel_model: m.rate_scope_channel_model,
  channel_key_model: m.rate_scope_channel_key_model,
};

export const metricTexts: Readonly<Record<LimitMetric, Message>> = {
  requests: m.rate_metric_requests,
  tokens: m.rate_metric_tokens,
  concurrent: m.rate_metric_concurrent,
};

export const periodTexts: Readonly<Record<LimitPeriod, Message>> = {
  minute: m.rate_period_minute,
  hour: m.rate_period_hour,
  day: m.rate_period_day,
  '': m.rate_period_none,
};

/** What a rule limits, such as “production (#3)”; a rule for all says so. */
export const subjectText = ({ subject, subject_name: name, scope }: RateLimit, t: Translate): string => {
  if (scope === 'model') return '—';
  if (subject === '') return t(m.rate_each);
  return name === '' ? subject : `${name} (#${subject})`;
};

/** How much, such as “200,000 tokens per minute”. */
export const amountText = ({ amount, metric, period }: RateLimit, t: Translate): string => {
  const values = { amount: amount.toLocaleString(language()), metric: t(metricTexts[metric]) };
  return period === ''
    ? t(m.rate_amount_text, { ...values, period: '' }).trim()
    : t(m.rate_amount_text, { ...values, period: t(periodTexts[period]) });
};

/** The rule in a line, for confirmations. */
export const nameOf = (rule: RateLimit, t: Translate): string =>
  [t(scopeTexts[rule.scope]), subjectText(rule, t), rule.model]
    .filter((part) => part !== '' && part !== '—')
    .join(' · ');
