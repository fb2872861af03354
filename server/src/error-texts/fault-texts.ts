/** A language of the texts that people read. */
export type Language = 'en' | 'zh';

export interface ErrorText {
  readonly en: string;
  readonly zh: string;
}

/** What can be wrong with one member of a request or one option; `{limit}` is filled from the fault. */
export const faultTexts = {
  missing: { en: 'is missing', zh: '缺失' },
  wrong_type: { en: 'has the wrong type', zh: '类型错误' },
  malformed: { en: 'is malformed', zh: '格式错误' },
  not_a_choice: { en: 'is not one of the choices', zh: '不在可选项之内' },
  not_a_number: { en: 'must be a number', zh: '必须是数字' },
  not_whole: { en: 'must be a whole number', zh: '必须是整数' },
  not_a_switch: { en: 'must be true or false', zh: '必须是 true 或 false' },
  not_an_address: { en: 'must be an http or https address', zh: '必须是 http 或 https 地址' },
  too_small: { en: 'must be at least {limit}', zh: '不得小于 {limit}' },
  too_large: { en: 'must be at most {limit}', zh: '不得大于 {limit}' },
  repeated: { en: 'is there twice', zh: '重复' },
  too_long: { en: 'must have at most {limit} characters', zh: '不得超过 {limit} 个字符' },
  not_a_day: { en: 'must be a date between 2015 and 2199', zh: '必须是 2015 至 2199 年间的日期' },
  not_one_day: { en: 'must not reach beyond one UTC day', zh: '不得跨越一个 UTC 日' },
  not_dollars: { en: 'must be USD', zh: '必须是 USD' },
  not_grouped: {
    en: 'is empty: export the report grouped by model or line item',
    zh: '为空：请按模型或计费项分组导出报表',
  },
  wrong_cells: { en: 'must have {limit} cells', zh: '必须有 {limit} 个单元格' },
} as const satisfies Record<string, ErrorText>;
