import { readNetworkLimits } from '@weir/contract/status';
import { route, type Routes } from '../http/route.ts';
import type { UnlimitedPeers } from '../http/unlimited-peers.ts';

export const networkLimitRoutes = (routes: Routes, unlimitedPeers: UnlimitedPeers): void => {
  route(routes, readNetworkLimits, async () => ({ data: { unlimited_peer: unlimitedPeers.latest() } }));
};
