import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';

/** A screen's component; `prefetch` requests the data of its first view for the address in the address bar. */
export type ScreenComponent = ComponentType & { prefetch?: (client: QueryClient) => Promise<unknown> };
