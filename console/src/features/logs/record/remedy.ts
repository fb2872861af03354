import type { Refusal } from '@weir/contract/logs';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

/** The page where the cause of a refusal can be changed or looked up. */
interface Remedy {
  readonly text: Message;
  readonly path: string;
  readonly search: Readonly<Record<string, unknown>>;
}

interface Viewer {
  readonly admin: boolean;
  readonly userId: number;
}

const ofToken =
  /^(?:token_(?:used_up|expired|unavailable|empty|subnet)|model_forbidden|pre_consume_token_quota_failed)$/;
const ofUser = /^(?:user_banned|insufficient_user_quota|memory_user)$/;
const ofChannels = /^(?:no_channel|unsupported_endpoint|invalid_api_type|upstream_.+)$/;

/** The one that helps; undefined: there is none. Tokens are edited by their owners, users by administrators. */
export const remedyOf = (
  { rule, user_id: owner, token_id: token, model_name: model }: Refusal,
  { admin, userId }: Viewer,
): Remedy | undefined => {
  const own = owner === userId;
  if (ofToken.test(rule) && own) return { text: m.log_refusal_token, path: `/token/edit/${token}`, search: {} };
  if (rule === 'insufficient_user_quota' && own && !admin)
    return { text: m.log_refusal_top_up, path: '/topup', search: {} };
  if ((ofToken.test(rule) || ofUser.test(rule)) && admin && owner > 0)
    return { text: m.log_refusal_user, path: `/user/edit/${owner}`, search: {} };
  if (rule === 'model_unpriced' && admin)
    return { text: m.log_refusal_price, path: '/pricing', search: { price: model } };
  if (rule === 'budget_used_up' && (own || admin)) return { text: m.log_refusal_budgets, path: '/budget', search: {} };
  if (rule.startsWith('run_') && (own || admin)) return { text: m.log_refusal_runs, path: '/run', search: {} };
  if (rule.startsWith('queue_') && admin) return { text: m.log_refusal_rates, path: '/rate-limit', search: {} };
  if (rule.startsWith('rate_limit_') && admin) return { text: m.log_refusal_rates, path: '/rate-limit', search: {} };
  if (!ofChannels.test(rule) && rule !== 'model_unknown') return undefined;
  return admin && rule !== 'model_unknown'
    ? { text: m.log_refusal_channels, path: '/channel', search: { model } }
    : { text: m.log_refusal_models, path: '/pricing', search: {} };
};
