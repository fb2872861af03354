import type { Language } from '../../errors.ts';
import type { Message } from '../../integrations/mail.ts';
import { escapeHtml, frameMail } from '../../integrations/mail-frame.ts';

type Content = Omit<Message, 'to'>;

const framed = (systemName: string, language: Language, title: string, html: string): Content =>
  frameMail({ systemName, languages: [language], title, html });

export interface MailTextDeps {
  readonly systemName: string;
  readonly language: Language;
}

/** The mail with the code that shows that an address is one's own. */
export const codeMail = ({ systemName, language }: MailTextDeps, code: string): Content => {
  const strong = `<p style="font-size:28px;letter-spacing:4px"><strong>${escapeHtml(code)}</strong></p>`;
  return language === 'zh'
    ? framed(
        systemName,
        language,
        `${systemName} 邮箱验证邮件`,
        `<p>您好，您正在进行邮箱验证。您的验证码为：</p>${strong}<p>验证码 10 分钟内有效，如果不是本人操作，请忽略。</p>`,
      )
    : framed(
        systemName,
        language,
        `${systemName} e-mail verification`,
        `<p>Your verification code is:</p>${strong}<p>It is valid for 10 minutes. If you did not request it, ignore this e-mail.</p>`,
      );
};

/** The mail with the link to a new password. */
export const resetMail = ({ systemName, language }: MailTextDeps, link: string): Content => {
  const href = escapeHtml(link);
  return language === 'zh'
    ? framed(
        systemName,
        language,
        `${systemName} 密码重置`,
        `<p>您好，您正在进行密码重置。</p><p><a href="${href}">点击此处重置密码</a></p><p>如果链接无法点击，请将以下地址复制到浏览器中打开：<br>${href}</p><p>重置链接 10 分钟内有效，如果不是本人操作，请忽略。</p>`,
      )
    : framed(
        systemName,
        language,
        `${systemName} password reset`,
        `<p>A password reset was requested for your account.</p><p><a href="${href}">Reset password</a></p><p>If the link does not open, copy this address into your browser:<br>${href}</p><p>It is valid for 10 minutes. If you did not request it, ignore this e-mail.</p>`,
      );
};

/** The mail to an account's owner after a reset of the password. */
export const passwordResetMail = ({ systemName, language }: MailTextDeps, username: string): Content => {
  const name = `<strong>${escapeHtml(username)}</strong>`;
  return language === 'zh'
    ? framed(
        systemName,
        language,
        `${systemName} 密码已重置`,
        `<p>账户 ${name} 的密码刚刚通过邮件链接重置，所有会话均已退出。</p><p>如果不是本人操作，请立即联系管理员。</p>`,
      )
    : framed(
        systemName,
        language,
        `${systemName} password was reset`,
        `<p>The password of the account ${name} was just reset with an e-mailed link, and all sessions were signed out.</p><p>If this was not you, contact the administrator immediately.</p>`,
      );
};
