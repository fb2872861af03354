import type { AlertKind, AlertMessage, AlertSubject } from '@weir/contract/alerts/alerts';
import { quotaText } from '../../billing/credits/quota-text.ts';
import type { Language } from '../../errors.ts';
import { escapeHtml } from '../../integrations/mail-frame.ts';
import type { Options } from '../../store/options.ts';
import { minuteOf, type Notice } from '../notices.ts';

type Reader = Pick<Options, 'get'>;
type Words = Readonly<Record<Language, string>>;

const eventWords: Readonly<Record<string, Words>> = {
  'alert.opened': { en: 'Alert', zh: '告警' },
  'alert.changed': { en: 'Alert changed', zh: '告警更新' },
  'alert.repeated': { en: 'Alert still open', zh: '告警仍未解决' },
  'alert.resolved': { en: 'Resolved', zh: '已恢复' },
  'alert.test': { en: 'Test message', zh: '测试消息' },
};

const severityWords: Readonly<Record<string, Words>> = {
  warning: { en: 'warning', zh: '警告' },
  critical: { en: 'critical', zh: '严重' },
};

const kindWords: Readonly<Record<AlertKind, Words>> = {
  user_balance: { en: 'Low balance', zh: '余额不足' },
  budget: { en: 'Budget', zh: '预算' },
  channel_disabled: { en: 'Channel disabled', zh: '渠道被禁用' },
  channel_errors: { en: 'Error rate of a channel', zh: '渠道错误率' },
  channel_latency: { en: 'Latency of a channel', zh: '渠道延迟' },
  unpriced_model: { en: 'Model without a price refused', zh: '拒绝了未定价的模型' },
  ledger_mismatch: { en: 'Ledger mismatch', zh: '账本不一致' },
  key_expires: { en: 'Key about to expire', zh: '密钥即将过期' },
  certificate_expires: { en: 'Certificate about to expire', zh: '证书即将过期' },
  spend_anomaly: { en: 'Unusual spending', zh: '消费异常' },
};

const isKind = (kind: string): kind is AlertKind => kind in kindWords;

const valueOf = (kind: string, { value }: AlertSubject, options: Reader, language: Language): string => {
  const calls = language === 'en' ? `${value} calls` : `${value} 次调用`;
  switch (kind) {
    case 'user_balance':
    case 'spend_anomaly':
      return quotaText(value, options, language);
    case 'budget':
    case 'channel_errors':
      return `${value}%`;
    case 'channel_latency':
      return `${value} ms`;
    case 'unpriced_model':
      return calls;
    case 'key_expires':
    case 'certificate_expires':
      return minuteOf(value);
    case 'ledger_mismatch':
      return String(value);
    default:
      return '';
  }
};

/** Title and lines of a message in one language. */
const textIn = ({ type, data }: AlertMessage, options: Reader, language: Language) => {
  const event = eventWords[type]?.[language] ?? type;
  const severity = severityWords[data.severity]?.[language] ?? data.severity;
  const kind = isKind(data.kind) ? kindWords[data.kind][language] : data.kind;
  const heads = type === 'alert.test' ? [] : [kind];
  const lines = data.subjects.map((subject) =>
    [subject.name, valueOf(data.kind, subject, options, language), subject.note].filter(Boolean).join(' · '),
  );
  const left = data.subject_count - lines.length;
  const more = language === 'en' ? `and ${left} more` : `另有 ${left} 项`;
  return {
    title: `[${severity}] ${event}: ${data.rule}`,
    lines: [...heads, ...lines.map((line) => `- ${line}`), ...(left > 0 ? [more] : [])],
  };
};

/** Plain text in both languages, for chats. */
export const alertText = (message: AlertMessage, options: Reader): string =>
  (['en', 'zh'] as const)
    .map((language) => textIn(message, options, language))
    .map(({ title, lines }) => [title, ...lines].join('\n'))
    .join('\n\n');

/** The same as a mail. */
export const alertNotice = (message: AlertMessage, options: Reader): Notice => {
  const [en, zh] = (['en', 'zh'] as const).map((language) => textIn(message, options, language));
  const paragraphs = [en?.lines, [zh?.title ?? ''], zh?.lines].map(
    (lines) => `<p>${(lines ?? []).map(escapeHtml).join('<br>')}</p>`,
  );
  return { subject: en?.title ?? '', html: paragraphs.join('\n') };
};
