import type { Language } from '../errors.ts';
import type { Message } from './mail.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (found) => escapes[found] ?? '');

const automatic = {
  en: 'This message was sent automatically, please do not reply.',
  zh: '本邮件由系统自动发送，请勿直接回复。',
} as const;

export interface FramedMail {
  readonly systemName: string;
  /** Of the text, the main one first. */
  readonly languages: readonly [Language, ...Language[]];
  readonly title: string;
  /** Trusted HTML. */
  readonly html: string;
}

/** The frame of every mail (wire contract 5.6): title, text and sender. */
export const frameMail = ({ systemName, languages, title, html }: FramedMail): Omit<Message, 'to'> => ({
  subject: title,
  html: `<!doctype html>
<html lang="${languages[0] === 'zh' ? 'zh-CN' : 'en'}">
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;line-height:1.6;color:#1a1a1a;background:#ffffff">
<div style="max-width:560px;margin:0 auto">
<h1 style="font-size:20px">${escapeHtml(title)}</h1>
${html}
<p style="margin-top:32px;padding-top:12px;border-top:1px solid #d4d4d4;font-size:13px;color:#5c5c5c">${languages.map((language) => automatic[language]).join('<br>')}<br>${escapeHtml(systemName)}</p>
</div>
</body>
</html>
`,
});
