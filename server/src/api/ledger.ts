import { readReconciliation } from '@weir/contract/ledger';
import { route, type Routes } from '../http/route.ts';
import type { Reconciler } from '../jobs/reconcile.ts';

export const ledgerRoutes = (routes: Routes, { reconciler }: { readonly reconciler: Reconciler }): void => {
  route(routes, readReconciliation, async () => ({ data: reconciler.latest() }));
};
