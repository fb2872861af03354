import { formatQuota } from '../../lib/format/format.ts';
import { language } from '../../lib/browser/locale.ts';
import { relativeTime } from '../../lib/format/relative-time.ts';
import { currentStatus, quotaDisplay } from '../../lib/api/status.ts';
import { m } from '../../paraglide/messages.js';

const delayMs = 350;
const gapPx = 6;
const id = 'tip';

const quotaText = (quota: number): string => {
  const { perUnit, inCurrency } = quotaDisplay(currentStatus());
  const exact = m.quota_units({ count: quota.toLocaleString(language()) });
  return `${exact} · ${formatQuota(quota, { perUnit, inCurrency: !inCurrency })}`;
};

const timeText = (unixSeconds: number): string => {
  const utc = new Date(unixSeconds * 1000).toISOString().replace('T', ' ').slice(0, 19);
  return `${relativeTime(unixSeconds, Date.now() / 1000, language())} · ${utc} UTC`;
};

const textOf = ({ dataset }: HTMLElement): string => {
  if (dataset['tipTime'] !== undefined) return timeText(Number(dataset['tipTime']));
  if (dataset['tipQuota'] !== undefined) return quotaText(Number(dataset['tipQuota']));
  return dataset['tip'] ?? '';
};

const makeLayer = (): HTMLElement => {
  const tip = document.createElement('div');
  tip.id = id;
  tip.role = 'tooltip';
  tip.popover = 'manual';
  tip.className = 'fixed m-0 max-w-80 rounded-control bg-ink px-2 py-1 text-12 text-bg shadow-float wrap-anywhere';
  (document.getElementById('main') ?? document.body).append(tip);
  return tip;
};

let tip: HTMLElement | undefined;
let shownFor: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

const hide = (): void => {
  clearTimeout(timer);
  if (shownFor?.getAttribute('aria-describedby') === id) shownFor.removeAttribute('aria-describedby');
  shownFor = undefined;
  tip?.hidePopover();
};

const position = (target: HTMLElement, layer: HTMLElement): void => {
  const box = target.getBoundingClientRect();
  const left = Math.max(
    8,
    Math.min(box.left + box.width / 2 - layer.offsetWidth / 2, innerWidth - layer.offsetWidth - 8),
  );
  const below = box.bottom + gapPx;
  const top = below + layer.offsetHeight > innerHeight ? box.top - gapPx - layer.offsetHeight : below;
  layer.style.left = `${left}px`;
  layer.style.top = `${top}px`;
};

const reveal = (target: HTMLElement, text: string): void => {
  tip ??= makeLayer();
  tip.textContent = text;
  tip.showPopover();
  position(target, tip);
  shownFor = target;
  // A name equal to the tooltip need not be read twice.
  if (target.getAttribute('aria-label') !== text && !target.hasAttribute('aria-describedby'))
    target.setAttribute('aria-describedby', id);
};

/** Shows the tooltip of an element: at once on focus, after a delay on hover. Escape, blur and scrolling hide it. */
export const showTip = (target: HTMLElement, atOnce: boolean): void => {
  if (shownFor === target) return;
  hide();
  const text = textOf(target);
  if (!text) return;
  timer = setTimeout(() => target.isConnected && reveal(target, text), atOnce ? 0 : delayMs);
};

const leave = (event: Event): void => {
  const to = event instanceof PointerEvent || event instanceof FocusEvent ? event.relatedTarget : null;
  // The pointer may move onto the tooltip, to read or select its text (WCAG 1.4.13).
  if (to instanceof Node && (tip?.contains(to) || shownFor?.contains(to))) return;
  hide();
};
document.addEventListener('pointerout', leave);
document.addEventListener('focusout', leave);
document.addEventListener('pointerdown', hide);
document.addEventListener('scroll', hide, true);
document.addEventListener('keydown', (event) => event.key === 'Escape' && hide(), true);
