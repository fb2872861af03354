import { createRootRoute, createRoute, createRouter, lazyRouteComponent, notFound } from '@tanstack/react-router';
import type { Access } from '@weir/contract/endpoint';
import { auditSearch } from '../features/audit/audit-search.ts';
import { channelsSearch } from '../features/channels/list/channels-search.ts';
import { dashboardSearch } from '../features/dashboard/dashboard-search.ts';
import { logsSearch } from '../features/logs/filters/logs-search.ts';
import { playgroundSearch } from '../features/playground/playground-search.ts';
import { pricingSearch } from '../features/pricing/pricing-search.ts';
import { settingsSearch } from '../features/settings/settings-search.ts';
import { redemptionsSearch } from '../features/redemptions/redemptions-search.ts';
import { detailSearch } from '../features/tokens/detail/detail-search.ts';
import { tokensSearch } from '../features/tokens/list/tokens-search.ts';
import { usersSearch } from '../features/users/users-search.ts';
import { hasExtras } from '../lib/api/extras.ts';
import { parseSearch, stringifySearch } from '../lib/lists/search-params.ts';
import { currentStatus, statusKnown } from '../lib/api/status.ts';
import { guard } from './guard.ts';
import { Crashed } from './crashed.tsx';
import { Loading } from './loading.tsx';
import { Shell } from './layout/shell.tsx';

const NotFound = lazyRouteComponent(() => import('./not-found.tsx'), 'NotFound');
const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** What every screen behind the sign-in has. */
const screen = (access: Access) => ({ getParentRoute: () => rootRoute, beforeLoad: guard(access) });

const isNumber = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value);

/** What goes beyond the specification is not there on a server without its data, nor for an id that is no number. */
const extraScreen = (access: Access) => ({
  ...screen(access),
  loader: async ({ params }: { readonly params: object }) => {
    if (!Object.values(params).every(isNumber)) notFound({ throw: true });
    // A first visit by a link has no status of an earlier one.
    if (!hasExtras(currentStatus())) await statusKnown.promise;
    if (!hasExtras(currentStatus())) notFound({ throw: true });
  },
});

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../features/home/home-screen.tsx'), 'HomeScreen'),
});
const aboutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/about',
  component: lazyRouteComponent(() => import('../features/home/about-screen.tsx'), 'AboutScreen'),
});
const chatRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/chat',
  component: lazyRouteComponent(() => import('../features/home/chat-screen.tsx'), 'ChatScreen'),
});
const tokensRoute = createRoute({
  ...screen('user'),
  path: '/token',
  validateSearch: tokensSearch,
  component: lazyRouteComponent(() => import('../features/tokens/list/tokens-screen.tsx'), 'TokensScreen'),
});
const tokenForm = lazyRouteComponent(() => import('../features/tokens/form/token-form-screen.tsx'), 'TokenFormScreen');
const tokenAddRoute = createRoute({ getParentRoute: () => tokensRoute, path: 'add', component: tokenForm });
const tokenEditRoute = createRoute({ getParentRoute: () => tokensRoute, path: 'edit/$id', component: tokenForm });
const tokenDetailRoute = createRoute({
  ...extraScreen('user'),
  path: '/token/$id',
  validateSearch: detailSearch,
  component: lazyRouteComponent(() => import('../features/tokens/detail/detail-screen.tsx'), 'DetailScreen'),
});
const channelsRoute = createRoute({
  ...screen('admin'),
  path: '/channel',
  validateSearch: channelsSearch,
  component: lazyRouteComponent(() => import('../features/channels/list/channels-screen.tsx'), 'ChannelsScreen'),
});
const channelForm = lazyRouteComponent(
  () => import('../features/channels/form/channel-form-screen.tsx'),
  'ChannelFormScreen',
);
const channelAddRoute = createRoute({ ...screen('admin'), path: '/channel/add', component: channelForm });
const channelHealthRoute = createRoute({
  ...extraScreen('admin'),
  path: '/channel/$id',
  component: lazyRouteComponent(() => import('../features/channels/health/health-screen.tsx'), 'HealthScreen'),
});
const channelEditRoute = createRoute({ ...screen('admin'), path: '/channel/edit/$id', component: channelForm });
const redemptionsRoute = createRoute({
  ...screen('admin'),
  path: '/redemption',
  validateSearch: redemptionsSearch,
  component: lazyRouteComponent(() => import('../features/redemptions/redemptions-screen.tsx'), 'RedemptionsScreen'),
});
const redemptionForm = lazyRouteComponent(
  () => import('../features/redemptions/redemption-form-screen.tsx'),
  'RedemptionFormScreen',
);
const redemptionAddRoute = createRoute({
  getParentRoute: () => redemptionsRoute,
  path: 'add',
  component: redemptionForm,
});
const redemptionEditRoute = createRoute({
  getParentRoute: () => redemptionsRoute,
  path: 'edit/$id',
  component: redemptionForm,
});
const topUpRoute = createRoute({
  ...screen('user'),
  path: '/topup',
  component: lazyRouteComponent(() => import('../features/topup/topup-screen.tsx'), 'TopUpScreen'),
});
const usersRoute = createRoute({
  ...screen('admin'),
  path: '/user',
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => import('../features/users/users-screen.tsx'), 'UsersScreen'),
});
const userForm = lazyRouteComponent(() => import('../features/users/user-form-screen.tsx'), 'UserFormScreen');
const userAddRoute = createRoute({ getParentRoute: () => usersRoute, path: 'add', component: userForm });
const userEditRoute = createRoute({ getParentRoute: () => usersRoute, path: 'edit/$id', component: userForm });
const dashboardRoute = createRoute({
  ...extraScreen('user'),
  path: '/dashboard',
  validateSearch: dashboardSearch,
  component: lazyRouteComponent(() => import('../features/dashboard/dashboard-screen.tsx'), 'DashboardScreen'),
});
const pricingRoute = createRoute({
  ...extraScreen('user'),
  path: '/pricing',
  validateSearch: pricingSearch,
  component: lazyRouteComponent(() => import('../features/pricing/pricing-screen.tsx'), 'PricingScreen'),
});
const playgroundRoute = createRoute({
  ...extraScreen('user'),
  path: '/playground',
  validateSearch: playgroundSearch,
  component: lazyRouteComponent(() => import('../features/playground/playground-screen.tsx'), 'PlaygroundScreen'),
});
const auditRoute = createRoute({
  ...extraScreen('admin'),
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../features/audit/audit-screen.tsx'), 'AuditScreen'),
});
const logsRoute = createRoute({
  ...screen('user'),
  path: '/log',
  validateSearch: logsSearch,
  component: lazyRouteComponent(() => import('../features/logs/logs-screen.tsx'), 'LogsScreen'),
});
const profileRoute = createRoute({
  ...screen('user'),
  path: '/user/edit',
  component: lazyRouteComponent(() => import('../features/account/profile-screen.tsx'), 'ProfileScreen'),
});
const settingsRoute = createRoute({
  ...screen('user'),
  path: '/setting',
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
});

const routeTree = rootRoute.addChildren([
  homeRoute,
  aboutRoute,
  chatRoute,
  tokensRoute.addChildren([tokenAddRoute, tokenEditRoute]),
  tokenDetailRoute,
  channelsRoute,
  channelAddRoute,
  channelEditRoute,
  channelHealthRoute,
  redemptionsRoute.addChildren([redemptionAddRoute, redemptionEditRoute]),
  topUpRoute,
  usersRoute.addChildren([userAddRoute, userEditRoute]),
  dashboardRoute,
  pricingRoute,
  playgroundRoute,
  auditRoute,
  logsRoute,
  profileRoute,
  settingsRoute,
]);

export const createAppRouter = () =>
  createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    // Parameters that no screen reads leave the address.
    search: { strict: true },
    defaultPendingMs: 150,
    // What is there is shown: by itself the router leaves a notice of loading on screen for half a second.
    defaultPendingMinMs: 0,
    defaultPendingComponent: Loading,
    defaultErrorComponent: Crashed,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: false,
  });

export type AppRouter = ReturnType<typeof createAppRouter>;
