import { createContext } from 'react';

/** Where a value goes that the browser did not let into the clipboard: the list's search box. */
export const RefusedCopy = createContext<(text: string) => void>(() => undefined);
