import { catalogue, channelTypeModels } from '@weir/contract/catalogue/model-catalogue';
import { listCatalogueModels, listChannelTypeModels } from '@weir/contract/models';
import { route, type Routes } from '../http/route.ts';

export const modelRoutes = (routes: Routes): void => {
  route(routes, listChannelTypeModels, async () => ({ data: channelTypeModels }));
  route(routes, listCatalogueModels, async () => ({ data: { object: 'list' as const, data: [...catalogue] } }));
};
