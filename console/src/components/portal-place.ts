import { useContext } from 'react';
import { SheetFrame } from './sheet-frame.ts';

/** Where popups go: inside the page's main landmark, so that screen readers find them as part of the page. */
export const portalPlace = (): HTMLElement => document.getElementById('main') ?? document.body;

/** The same for the popup of a field. A sheet shuts the page underneath off: its popups stay with it (undefined). */
export const usePortalPlace = (): HTMLElement | undefined => (useContext(SheetFrame) ? undefined : portalPlace());
