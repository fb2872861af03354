import { createContext } from 'react';
import type { ComponentProps, ComponentType } from 'react';

/** What a form needs of the sheet around it; undefined: it is a page of its own. */
export interface SheetFrameValue {
  readonly close: () => void;
  readonly Title: ComponentType<ComponentProps<'h2'>>;
}

export const SheetFrame = createContext<SheetFrameValue | undefined>(undefined);
