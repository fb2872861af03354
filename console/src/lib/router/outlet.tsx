import { createContext, useContext } from 'react';
import type { ReactNode } from 'react';

export const OutletContext = createContext<ReactNode>(null);

/** Where a list shows the screen that lies over it. */
export const Outlet = () => useContext(OutletContext);
