import { createContext } from 'react';
import type { ComponentProps, ComponentType } from 'react';

/** Values that a form reads from the sheet around it; undefined: the form is a page. */
export interface SheetFrameValue {
  readonly close: () => void;
  readonly Title: ComponentType<ComponentProps<'h2'>>;
}

export const SheetFrame = createContext<SheetFrameValue | undefined>(undefined);
