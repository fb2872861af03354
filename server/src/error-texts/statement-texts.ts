/** Failures about statements of accounts. */
export const statementTexts = {
  statement_month: { en: 'A month is written as YYYY-MM', zh: '月份须写作 YYYY-MM' },
  statement_none: { en: 'There is no statement of this account and month', zh: '没有该账户该月的对账单' },
} as const;
