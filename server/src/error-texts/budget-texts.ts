/** Failures about budgets. */
export const budgetTexts = {
  budget_subject: {
    en: 'There is no such token, user, member or model that you may set a budget for',
    zh: '没有可以设置预算的此令牌、用户、成员或模型',
  },
  budget_same: {
    en: 'There is a budget of the same subject and period',
    zh: '已有相同对象和周期的预算',
  },
  budget_by_admin: {
    en: 'The administrator has set this budget; only an administrator can change it',
    zh: '此预算由管理员设置，只有管理员可以更改',
  },
} as const;
