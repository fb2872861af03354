import { createContext, useContext } from 'react';
import type { ReactNode } from 'react';

export const OutletContext = createContext<ReactNode>(null);

/** Where a list renders the screen that opens over it. */
export const Outlet = () => useContext(OutletContext);
