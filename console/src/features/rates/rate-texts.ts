import type { LimitScope } from '@weir/contract/limits/limit-rules';
import type { RateLimit } from '@weir/contract/limits/rate-limits';
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

/** What a rule limits, such as “production (#3)”; a rule for all says so. */
export const subjectText = ({ subject, subject_name: name, scope }: RateLimit, t: Translate): string => {
  if (scope === 'model') return '—';
  if (subject === '') return t(m.rate_each);
  return name === '' ? subject : `${name} (#${subject})`;
};

/** The rule in a line, for confirmations. */
export const nameOf = (rule: RateLimit, t: Translate): string =>
  [t(scopeTexts[rule.scope]), subjectText(rule, t), rule.model]
    .filter((part) => part !== '' && part !== '—')
    .join(' · ');
