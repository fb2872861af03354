const anchor = '[data-tip],[data-tip-time],[data-tip-quota]';
const layer = () => import('./tip-layer.ts');

/**
 * One layer serves all tooltips: elements only have `data-tip`, and the layer loads when the first of them is
 * pointed at or focused.
 */
export const watchTips = (): void => {
  // Without a hovering pointer there is no hover, and a tooltip on focus would cover the element that was touched.
  if (matchMedia('(hover: none)').matches) return;
  const show = (event: Event): void => {
    const { target: at } = event;
    if (!(at instanceof Element)) return;
    // A link around an amount takes the focus for it.
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
