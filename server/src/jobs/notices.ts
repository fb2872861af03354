/** A mail or message to one person. The languages of people are not known here, so it speaks both. */
export interface Notice {
  readonly subject: string;
  /** HTML. */
  readonly html: string;
}

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as HTML: names and reasons are other people's words. */
export const asHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => escaped[sign] ?? sign);

const notice = (subject: string, paragraphs: readonly string[]): Notice => ({
  subject,
  html: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n'),
});

/** An amount of quota for people. */
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

export const channelDisabled = ({ id, name, reason }: NamedChannel & { readonly reason: string }): Notice =>
  notice(`Channel status change reminder: ${name} (#${id}) was disabled`, [
    `Channel ${asHtml(name)} (#${id}) was disabled by the system. Reason: ${asHtml(reason)}`,
    `渠道「${asHtml(name)}」（#${id}）已被系统禁用，原因：${asHtml(reason)}`,
  ]);

export const channelEnabled = ({ id, name }: NamedChannel): Notice =>
  notice(`Channel status change reminder: ${name} (#${id}) was enabled`, [
    `Channel ${asHtml(name)} (#${id}) passed its test and was enabled again.`,
    `渠道「${asHtml(name)}」（#${id}）已通过测试，重新启用`,
  ]);

/** A channel that answers too slowly, where the system may not disable any. */
export const channelSlow = ({ id, name, reason }: NamedChannel & { readonly reason: string }): Notice =>
  notice(`Channel test reminder: ${name} (#${id}) is slow`, [
    `Channel ${asHtml(name)} (#${id}): ${asHtml(reason)}. It was not disabled, because automatic disabling is off.`,
    `渠道「${asHtml(name)}」（#${id}）测试过慢（${asHtml(reason)}），未开启自动禁用，因此保持启用`,
  ]);

export const testsFinished = ({ tested, failed }: { readonly tested: number; readonly failed: number }): Notice =>
  notice('Channel test finished', [
    `The test of all channels has finished: ${tested} tested, ${failed} of them failed.`,
    `渠道测试已完成：共测试 ${tested} 个，其中 ${failed} 个失败`,
  ]);

/** `left`: what is still there, as a text with its unit in each language. */
export const quotaRunsOut = ({ left, link }: { readonly left: QuotaWords; readonly link: string }): Notice => {
  const anchor = `<a href="${asHtml(link)}">${asHtml(link)}</a>`;
  return left.none
    ? notice('Quota reminder: your quota is used up · 额度提醒', [
        `Your quota is used up. Top up here: ${anchor}`,
        `您的额度已用尽，请在此充值：${anchor}`,
      ])
    : notice('Quota reminder: your quota is about to be used up · 额度提醒', [
        `Your quota is about to be used up: ${asHtml(left.en)} left. Top up here: ${anchor}`,
        `您的额度即将用尽，剩余 ${asHtml(left.zh)}。请在此充值：${anchor}`,
      ]);
};
