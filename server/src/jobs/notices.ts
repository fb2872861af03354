import type { testScopes } from '@weir/contract/channel-health';
import { escapeHtml, frameMail } from '../integrations/mail-frame.ts';

/** A mail or message to one user. The language of the user is not stored, so it is written in both. */
export interface Notice {
  readonly subject: string;
  /** HTML without a frame. */
  readonly html: string;
}

/** A notice as a mail. */
export const asMail = ({ subject, html }: Notice, systemName: string) =>
  frameMail({ systemName, languages: ['en', 'zh'], title: subject, html });

const notice = (subject: string, paragraphs: readonly string[]): Notice => ({
  subject,
  html: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n'),
});

/** An amount of quota as text. */
export interface QuotaWords {
  /** There is nothing left of it. */
  readonly none: boolean;
  readonly en: string;
  readonly zh: string;
}

interface NamedChannel {
  readonly id: number;
  readonly name: string;
}

/** Why a channel was disabled or is slow. What an upstream said stays as it is in both. */
export interface Reason {
  readonly en: string;
  readonly zh: string;
}

export const channelDisabled = ({ id, name, reason }: NamedChannel & { readonly reason: Reason }): Notice =>
  notice(`Channel status change: ${name} (#${id}) was disabled`, [
    `Channel ${escapeHtml(name)} (#${id}) was disabled automatically. Reason: ${escapeHtml(reason.en)}`,
    `渠道「${escapeHtml(name)}」（#${id}）已被自动禁用，原因：${escapeHtml(reason.zh)}`,
  ]);

export const channelEnabled = ({ id, name }: NamedChannel): Notice =>
  notice(`Channel status change: ${name} (#${id}) was enabled`, [
    `Channel ${escapeHtml(name)} (#${id}) passed its test and was enabled again.`,
    `渠道「${escapeHtml(name)}」（#${id}）已通过测试，重新启用`,
  ]);

/** A channel that answers too slowly, where the system may not disable any. */
export const channelSlow = ({ id, name, reason }: NamedChannel & { readonly reason: Reason }): Notice =>
  notice(`Channel test: ${name} (#${id}) is slow`, [
    `Channel ${escapeHtml(name)} (#${id}): ${escapeHtml(reason.en)}. It stays enabled because automatic disabling is off.`,
    `渠道「${escapeHtml(name)}」（#${id}）响应过慢（${escapeHtml(reason.zh)}），未开启自动禁用，因此保持启用`,
  ]);

interface FinishedTests {
  readonly scope: (typeof testScopes)[number];
  readonly tested: number;
  readonly failed: number;
}

export const testsFinished = ({ scope, tested, failed }: FinishedTests): Notice => {
  const [en, zh] =
    scope === 'disabled' ? ['test of disabled channels', '已禁用渠道的测试'] : ['channel test', '渠道测试'];
  return notice(`${en.slice(0, 1).toUpperCase()}${en.slice(1)} finished`, [
    `The ${en} has finished: ${tested} tested, ${failed} failed.`,
    `${zh}已完成：共测试 ${tested} 个，其中 ${failed} 个失败`,
  ]);
};

/** `left`: what is still there, as a text with its unit in each language. */
export const quotaRunsOut = ({ left, link }: { readonly left: QuotaWords; readonly link: string }): Notice => {
  const anchor = `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`;
  return left.none
    ? notice('Quota reminder: your quota is used up · 额度提醒', [
        `Your quota is used up. Top up here: ${anchor}`,
        `您的额度已用尽，请在此充值：${anchor}`,
      ])
    : notice('Quota reminder: your quota is about to be used up · 额度提醒', [
        `Your quota is about to be used up: ${escapeHtml(left.en)} left. Top up here: ${anchor}`,
        `您的额度即将用尽，剩余 ${escapeHtml(left.zh)}。请在此充值：${anchor}`,
      ]);
};

/** An instant without seconds, in UTC. */
export const minuteOf = (unixSeconds: number): string =>
  `${new Date(unixSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const keysExpire = (
  tokens: readonly { readonly id: number; readonly name: string; readonly expired_time: number }[],
  link: string,
): Notice => {
  const anchor = `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`;
  const list = tokens
    .map(({ id, name, expired_time: at }) => `${escapeHtml(name)} (#${id}): ${minuteOf(at)}`)
    .join('<br>');
  return notice('Your keys are about to expire · 密钥即将过期', [
    `These keys stop working at the time beside each. Change the expiry here: ${anchor}`,
    `以下密钥将在所示时间失效，可在此修改过期时间：${anchor}`,
    list,
  ]);
};
