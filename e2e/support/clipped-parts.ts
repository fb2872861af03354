import type { Page } from '@playwright/test';

/**
 * Parts of the page that do not fit: a page or a part of it that scrolls sideways, and text that an edge cuts. Code may
 * scroll, and a text may end in an ellipsis while at least some six letters of it are shown.
 */
export const clippedParts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found = new Set<string>();
    const nameOf = (element: Element): string => {
      const name = element.getAttribute('aria-label') ?? element.id;
      const kind = element.tagName.toLowerCase() + (element.classList.length > 0 ? `.${element.classList[0]}` : '');
      return name === '' ? kind : `${kind} "${name}"`;
    };
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.add(`the page is ${root.scrollWidth} px wide`);

    const isHidden = (style: CSSStyleDeclaration, rect: DOMRect): boolean =>
      style.visibility === 'hidden' || style.opacity === '0' || rect.width <= 2 || rect.height <= 2;

    for (const element of document.body.querySelectorAll('*')) {
      const style = getComputedStyle(element);
      const scrolls = style.overflowX === 'auto' || style.overflowX === 'scroll';
      if (!scrolls || element.scrollWidth <= element.clientWidth + 1 || element.clientWidth === 0) continue;
      if (element.matches('pre, code, textarea, input') || element.querySelector(':scope > pre, :scope > code'))
        continue;
      found.add(`${nameOf(element)} scrolls sideways: ${element.scrollWidth} in ${element.clientWidth} px`);
    }

    const range = document.createRange();
    const ellipsisMin = 40;
    /** What an ancestor does to a text: it bounds it, with a fault or none, or it leaves the question to its parent. */
    const judge = (at: Element, box: DOMRect, text: string): 'bounds' | 'passes' => {
      const style = getComputedStyle(at);
      const rect = at.getBoundingClientRect();
      if (isHidden(style, rect) || style.overflowX === 'auto' || style.overflowX === 'scroll') return 'bounds';
      const right = rect.right - Number.parseFloat(style.paddingRight);
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') {
        const shown = Math.min(box.right, right) - Math.max(box.left, rect.left);
        if (box.right > rect.right + 1 && shown < Math.min(ellipsisMin, box.width))
          found.add(`only ${Math.round(shown)} px of "${text}" are shown`);
        return 'bounds';
      }
      const clips = style.overflowX === 'hidden' || style.overflowX === 'clip';
      if (clips && (box.right > rect.right + 1 || box.left < rect.left - 1))
        found.add(`${nameOf(at)} cuts "${text}" off by ${Math.round(box.right - rect.right)} px`);
      return 'passes';
    };

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = (node.textContent ?? '').trim().slice(0, 40);
      const parent = node.parentElement;
      if (text === '' || parent === null || parent.closest('script, style, svg, option, [inert], .sr-only') !== null)
        continue;
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      let at: Element | null = parent;
      while (at !== null && at !== document.body && judge(at, box, text) === 'passes') at = at.parentElement;
      const isBounded = at !== null && at !== document.body;
      if (!isBounded && box.right > root.clientWidth + 1)
        found.add(`"${text}" leaves the screen by ${Math.round(box.right - root.clientWidth)} px`);
    }
    return [...found];
  });
