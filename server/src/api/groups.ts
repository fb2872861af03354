import { listGroups } from '@weir/contract/groups';
import { parseRatioTable } from '../billing/price/ratio.ts';
import { route, type Routes } from '../http/route.ts';

export const groupRoutes = (routes: Routes): void => {
  route(routes, listGroups, async () => ({
    data: [...(parseRatioTable(routes.deps.options.get('GroupRatio'))?.keys() ?? [])],
  }));
};
