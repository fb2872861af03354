import type { Page } from '@playwright/test';
import { signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

/** Ways to make a page run a script, wrapped in markup that a parser might misread. */
const payloads = (): readonly string[] => {
  const code = 'window.hacked=1';
  const elements = [
    `<script>${code}</script>`,
    `<script src="data:text/javascript,${code}"></script>`,
    `<img src=x onerror="${code}">`,
    `<img src=x onerror=${code} `,
    `<svg onload="${code}">`,
    `<svg><script>${code}</script></svg>`,
    `<svg><animate onbegin="${code}" attributeName=x dur=1s>`,
    `<math><mtext></form><form><mglyph><style></math><img src onerror="${code}">`,
    `<body onload="${code}">`,
    `<iframe srcdoc="<script>parent.${code}</script>"></iframe>`,
    `<iframe src="javascript:parent.${code}"></iframe>`,
    `<object data="javascript:${code}"></object>`,
    `<embed src="javascript:${code}">`,
    `<a href="javascript:${code}" autofocus onfocus="${code}">x</a>`,
    `<a href="java&#10;script:${code}">x</a>`,
    `<input autofocus onfocus="${code}">`,
    `<details open ontoggle="${code}">`,
    `<video><source onerror="${code}"></video>`,
    `<audio src=x onerror="${code}">`,
    `<marquee onstart="${code}">`,
    `<style>@import 'javascript:${code}'</style>`,
    `<link rel=stylesheet href="javascript:${code}">`,
    `<meta http-equiv=refresh content="0;url=javascript:${code}">`,
    `<base href="javascript:${code}//">`,
    `<form action="javascript:${code}"><button autofocus onfocus="${code}">x</button></form>`,
    `<template><script>${code}</script></template>`,
    `<noscript><p title="</noscript><img src=x onerror='${code}'>">`,
    `<select><template shadowrootmode=open><script>${code}</script></template></select>`,
    `[x](javascript:${code})`,
    `![x](x"onerror="${code})`,
    `<javascript:${code}>`,
    `\`\`\`html\n<script>${code}</script>\n\`\`\``,
  ];
  const wraps = [
    (text: string) => text,
    (text: string) => text.toUpperCase().replaceAll('WINDOW.HACKED', 'window.hacked'),
    (text: string) => `<div>${text}</div>`,
    (text: string) => `<table><tr>${text}</tr></table>`,
    (text: string) => `<svg><desc>${text}</desc></svg>`,
    (text: string) => `<math><annotation-xml encoding="text/html">${text}</annotation-xml></math>`,
    (text: string) => `<!--><!-- ${text} -->`,
    (text: string) => `<textarea></textarea>${text}`,
    (text: string) => `<xmp></xmp>${text}`,
    (text: string) => `<noembed></noembed>${text}`,
    (text: string) => `# ${text}`,
    (text: string) => `> ${text}`,
    (text: string) => `- ${text.replaceAll('\n', '\n  ')}`,
    (text: string) => `| a |\n| - |\n| ${text.replaceAll('\n', ' ')} |`,
    (text: string) => `${text}\n\n${text}`,
    (text: string) => text.replaceAll(' ', '/'),
  ];
  return elements.flatMap((element) => wraps.map((wrap) => wrap(element)));
};

/** Types each text into the four fields with previews, and resolves to the forbidden elements that they contain. */
const findForbidden = (page: Page, texts: readonly string[]): Promise<readonly string[]> =>
  page.evaluate(async (each) => {
    const fields = [...document.querySelectorAll('textarea')];
    const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
    const found = new Set<string>();
    for (const text of each) {
      for (const field of fields) {
        setValue?.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
      // The previews are drawn, and any script that runs at once has run.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      for (const node of document.querySelectorAll('[aria-label^="Preview:"] *')) {
        const wrong = [...node.attributes].filter(
          ({ name, value }) => /^on|^style$|^srcdoc$/.test(name) || /^\s*(?:java|data:text)/i.test(value),
        );
        if (
          wrong.length > 0 ||
          /^(?:script|iframe|object|embed|form|input|button|style|base|meta|link)$/i.test(node.localName)
        )
          found.add(`${node.outerHTML} of ${text}`);
      }
      if ('hacked' in window) found.add(`ran: ${text}`);
    }
    return [...found];
  }, texts);

test('SHELL-11 SHELL-12 SHELL-13 ERR-03 none of 500 scripts in configured texts runs, in six positions and both forms', async ({
  page,
  gateway,
}) => {
  test.setTimeout(180_000);
  const all = payloads();
  expect(new Set(all).size).toBeGreaterThan(500);
  await signIn(page, gateway, '/setting?tab=other');
  const stopped: string[] = [];
  page.on('console', (message) => {
    if (/trusted ?types|TrustedHTML/i.test(message.text())) stopped.push(message.text());
  });
  for (const name of ['Notice', 'Home page content', 'About', 'Footer']) {
    await page.getByRole('textbox', { name, exact: true }).fill('**a** <b>b</b>');
    await expect(page.getByRole('region', { name: `Preview: ${name}` }).locator('b')).toHaveText('b');
  }
  expect(await findForbidden(page, all)).toEqual([]);

  const root = await gateway.signIn();
  const set = (key: string, value: string) => root.call('PUT', '/api/option/', { key, value });
  for (let from = 0; from < all.length; from += 64) {
    const [notice, home, about, footer] = [0, 16, 32, 48].map((more) =>
      all.slice(from + more, from + more + 16).join('\n\n'),
    );
    await set('Notice', notice ?? '');
    await set('HomePageContent', home ?? '');
    await set('About', about ?? '');
    await set('Footer', footer ?? '');
    await page.evaluate(
      (text) => sessionStorage.setItem('weir:toast', JSON.stringify({ kind: 'notice', text: `${text}` })),
      footer,
    );
    for (const path of ['/', '/about']) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate(() => 'hacked' in window), path).toBe(false);
    }
  }
  await page.evaluate(() =>
    sessionStorage.setItem('weir:toast', JSON.stringify({ kind: 'notice', text: '<b>Last</b>' })),
  );
  await page.goto('/');
  await expect(toast(page, 'Last')).toHaveCSS('font-weight', '700');
  expect(stopped).toEqual([]);
});
