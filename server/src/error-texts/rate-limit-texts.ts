/** Failures about rate limits, and the queue of calls at them. */
export const rateLimitTexts = {
  rate_limit_model: {
    en: 'Only a scope with models takes a model',
    zh: '只有包含模型的范围可以填写模型',
  },
  rate_limit_period: {
    en: 'Requests and tokens need a period; calls at the same time have none',
    zh: '请求和 token 需要周期；同时进行的调用没有周期',
  },
  rate_limit_subject: {
    en: 'The subject does not exist, or does not fit the scope',
    zh: '对象不存在，或与范围不符',
  },
  rate_limit_same: {
    en: 'There is a rule of the same scope, subject, model, metric and period',
    zh: '已有相同范围、对象、模型、指标和周期的规则',
  },
  rate_limit_many: { en: 'There are {max} rules already', zh: '规则数已达到 {max} 条' },
  queue_weights_invalid: {
    en: 'The weights are not a valid JSON table of groups and numbers',
    zh: '权重不是有效的 JSON 表（分组与数字）',
  },
} as const;
