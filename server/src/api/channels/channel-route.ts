import { getRoute, type Route } from '@weir/contract/channel-route';
import { route, type Routes } from '../../http/route.ts';

export interface ChannelRouteDeps {
  /** The route of a call made now; empty group and path: the default group, chat completions. */
  readonly explainRoute: (call: {
    readonly model: string;
    readonly group: string;
    readonly path: string;
  }) => Promise<Route>;
}

export const channelRouteRoutes = (routes: Routes, { explainRoute }: ChannelRouteDeps): void => {
  route(routes, getRoute, async ({ query }) => ({ data: await explainRoute(query) }));
};
