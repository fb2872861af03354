import { createContext } from 'react';
import type { ChannelActions } from './use-channel-actions.ts';

/** The actions of the list around, for cells that can change their row. */
export const ActionsContext = createContext<ChannelActions | undefined>(undefined);
