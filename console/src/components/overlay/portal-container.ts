/** Container of popups: inside the page's main landmark, so that screen readers find them as part of the page. */
export const portalContainer = (): HTMLElement => document.getElementById('main') ?? document.body;
