/** What a rule limits: one subject, or a subject's calls of one model. A token is a key of a user. */
export const limitScopes = [
  'token',
  'user',
  'group',
  'model',
  'channel',
  'channel_key',
  'token_model',
  'user_model',
  'group_model',
  'channel_model',
  'channel_key_model',
] as const;
export type LimitScope = (typeof limitScopes)[number];

/** `concurrent`: calls that run at the same time. */
export const limitMetrics = ['requests', 'tokens', 'concurrent'] as const;
export type LimitMetric = (typeof limitMetrics)[number];

/** Empty: none, which only concurrent calls have. */
export const limitPeriods = ['minute', 'hour', 'day', ''] as const;
export type LimitPeriod = (typeof limitPeriods)[number];

/** Rules that are stored at most. */
export const rateLimitsMax = 1000;
/** Requests, tokens or calls of one rule. */
export const limitAmountMax = 1e12;

/** Whether rules of a scope have a model. */
export const limitsModel = (scope: LimitScope): boolean => scope === 'model' || scope.endsWith('_model');
