import { listGroups } from '@weir/contract/groups';
import { route, type Routes } from '../http/route.ts';

export const groupRoutes = (routes: Routes): void => {
  route(routes, listGroups, async () => ({ data: Object.keys(JSON.parse(routes.deps.options.get('GroupRatio'))) }));
};
