/** Failures about tokens and their keys. */
export const tokenTexts = {
  token_subnet_invalid: {
    en: 'Parameter error: invalid network segment: {subnet}',
    zh: '参数错误：无效的网段：{subnet}',
  },
  token_expired: {
    en: 'Token has expired and cannot be enabled; change the expiry or set it to never expire first',
    zh: '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
  },
  token_exhausted: {
    en: 'Token quota is used up and cannot be enabled; change the remaining quota or set it to unlimited first',
    zh: '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
  },
  token_overlap_runs: {
    en: 'The key before this one still works. Wait until the overlap ends, or end it first',
    zh: '上一个密钥仍然有效，请等待重叠期结束，或先结束重叠期',
  },
  token_overlap_none: { en: 'No replaced key of this token still works', zh: '该令牌没有仍然有效的旧密钥' },
  token_roll_past: {
    en: 'This roll was done before, and its key is no longer shown',
    zh: '该次更换已完成，不再显示其密钥',
  },
  users_number: { en: 'Name 1 to {max} users', zh: '请填写 1 到 {max} 个用户' },
  users_unknown: { en: 'There is no user of this name: {names}', zh: '没有此名称的用户：{names}' },
  token_text_without_key: {
    en: 'The text holds no key. A key has 48 letters and digits, with or without sk-',
    zh: '文本中没有密钥。密钥由 48 个字母和数字组成，可带或不带 sk-',
  },
  key_invalid: { en: 'This key is not valid', zh: '此密钥无效' },
  key_subnet: { en: 'This key does not work from your network', zh: '此密钥不能在当前网络使用' },
  token_text_many_keys: { en: 'The text holds more than {max} keys', zh: '文本中的密钥超过 {max} 个' },
} as const;
