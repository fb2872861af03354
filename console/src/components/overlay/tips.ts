const anchor = '[data-tip],[data-tip-time],[data-tip-quota]';
const layer = () => import('./tip-layer.ts');

/**
 * One layer serves all tooltips: elements only carry `data-tip`, and the layer arrives with the first of them that
 * is pointed at or focused.
 */
export const watchTips = (): void => {
  // Without a pointer that hovers there is nothing to hover, and what focus would show hides what was touched.
  if (matchMedia('(hover: none)').matches) return;
  const show = (event: Event): void => {
    const { target: at } = event;
    if (!(at instanceof Element)) return;
    // A link around an amount has the focus in its place.
    const inside = event.type === 'focusin' && at.matches('a') ? at.querySelector<HTMLElement>(anchor) : null;
    const target = at.closest<HTMLElement>(anchor) ?? inside;
    if (target) void layer().then(({ showTip }) => showTip(target, event.type === 'focusin'));
  };
  document.addEventListener('pointerover', (event) => event.pointerType !== 'touch' && show(event));
  document.addEventListener(
    'focusin',
    (event) => event.target instanceof Element && event.target.matches(':focus-visible') && show(event),
  );
};
