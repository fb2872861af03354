import { channelsSearch } from '../features/channels/list/channels-search.ts';
import { dashboardSearch } from '../features/dashboard/dashboard-search.ts';
import { logsSearch } from '../features/logs/filters/logs-search.ts';
import { playgroundSearch } from '../features/playground/playground-search.ts';
import { bookSearch } from '../features/pricing/book/book-search.ts';
import { pricingSearch } from '../features/pricing/pricing-search.ts';
import { redemptionsSearch } from '../features/redemptions/redemptions-search.ts';
import { settingsSearch } from '../features/settings/settings-search.ts';
import { detailSearch } from '../features/tokens/detail/detail-search.ts';
import { tokensSearch } from '../features/tokens/list/tokens-search.ts';
import { usersSearch } from '../features/users/users-search.ts';
import { m } from '../paraglide/messages.js';
import { moreScreens } from './more-screens.ts';
import type { LoadScreen, Screen } from './screen.ts';

const self = '/api/user/self';
const ownLog = '/api/log/self?p=0&type=0&token_name=&model_name=&start_timestamp={dayAgo}&end_timestamp=0';
const wholeLog =
  '/api/log/?p=0&type=0&token_name=&model_name=&start_timestamp={dayAgo}&end_timestamp=0&username=&channel=0&without_tests=1';

const tokenForm: LoadScreen = async () =>
  (await import('../features/tokens/form/token-form-screen.tsx')).TokenFormScreen;
const channelForm: LoadScreen = async () =>
  (await import('../features/channels/form/channel-form-screen.tsx')).ChannelFormScreen;
const redemptionForm: LoadScreen = async () =>
  (await import('../features/redemptions/redemption-form-screen.tsx')).RedemptionFormScreen;
const userForm: LoadScreen = async () => (await import('../features/users/user-form-screen.tsx')).UserFormScreen;

/** Every screen behind the sign-in; the screens of the navigation in their specified order. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    access: 'public',
    nav: { title: m.nav_home, icon: 'home', forVisitors: true, key: 'h' },
    early: { user: '/api/home_page_content' },
    load: async () => (await import('../features/home/home-screen.tsx')).HomeScreen,
  },
  {
    path: '/dashboard',
    access: 'user',
    search: dashboardSearch,
    nav: { title: m.dash_title, icon: 'chart', key: 'd' },
    early: {
      user: `${self} +/api/usage/self?start_timestamp={weekBegin}&by=model`,
      admin: `${self} +/api/usage/?start_timestamp={weekBegin}&by=model`,
    },
    load: async () => (await import('../features/dashboard/dashboard-screen.tsx')).DashboardScreen,
  },
  {
    path: '/channel',
    access: 'admin',
    search: channelsSearch,
    nav: { title: m.nav_channel, icon: 'channel', key: 'c' },
    early: { user: '', admin: '/api/channel/?p=0' },
    load: async () => (await import('../features/channels/list/channels-screen.tsx')).ChannelsScreen,
  },
  { path: '/channel/add', access: 'admin', search: channelsSearch, load: channelForm },
  { path: '/channel/edit/:id', access: 'admin', search: channelsSearch, load: channelForm },
  {
    path: '/channel/:id',
    access: 'admin',
    optional: true,
    load: async () => (await import('../features/channels/health/health-screen.tsx')).HealthScreen,
  },
  {
    path: '/token',
    access: 'user',
    search: tokensSearch,
    nav: { title: m.nav_token, icon: 'key', forVisitors: true, key: 'k' },
    early: { user: '/api/token/?p=0&order=' },
    load: async () => (await import('../features/tokens/list/tokens-screen.tsx')).TokensScreen,
  },
  { path: '/token/add', access: 'user', over: '/token', search: tokensSearch, early: { user: self }, load: tokenForm },
  { path: '/token/edit/:id', access: 'user', over: '/token', search: tokensSearch, load: tokenForm },
  {
    path: '/token/:id',
    access: 'user',
    optional: true,
    search: detailSearch,
    load: async () => (await import('../features/tokens/detail/detail-screen.tsx')).DetailScreen,
  },
  {
    path: '/redemption',
    access: 'admin',
    search: redemptionsSearch,
    nav: { title: m.nav_redemption, icon: 'ticket', key: 'r' },
    early: { user: '', admin: '/api/redemption/?p=0' },
    load: async () => (await import('../features/redemptions/redemptions-screen.tsx')).RedemptionsScreen,
  },
  { path: '/redemption/add', access: 'admin', over: '/redemption', search: redemptionsSearch, load: redemptionForm },
  {
    path: '/redemption/edit/:id',
    access: 'admin',
    over: '/redemption',
    search: redemptionsSearch,
    load: redemptionForm,
  },
  {
    path: '/topup',
    access: 'user',
    nav: { title: m.nav_topup, icon: 'wallet', forVisitors: true, key: 't' },
    early: { user: self },
    load: async () => (await import('../features/topup/topup-screen.tsx')).TopUpScreen,
  },
  {
    path: '/user',
    access: 'admin',
    search: usersSearch,
    nav: { title: m.nav_user, icon: 'users', key: 'u' },
    early: { user: '', admin: '/api/user/?p=0&order=' },
    load: async () => (await import('../features/users/users-screen.tsx')).UsersScreen,
  },
  { path: '/user/add', access: 'admin', over: '/user', search: usersSearch, load: userForm },
  {
    path: '/user/edit',
    access: 'user',
    early: { user: self },
    load: async () => (await import('../features/account/profile-screen.tsx')).ProfileScreen,
  },
  { path: '/user/edit/:id', access: 'admin', over: '/user', search: usersSearch, load: userForm },
  {
    path: '/log',
    access: 'user',
    search: logsSearch,
    nav: { title: m.nav_log, icon: 'log', forVisitors: true, key: 'l' },
    early: { user: ownLog, admin: wholeLog },
    load: async () => (await import('../features/logs/logs-screen.tsx')).LogsScreen,
    loadOnPhone: async () => (await import('../features/logs/list/phone-logs.tsx')).PhoneLogs,
  },
  {
    path: '/setting',
    access: 'user',
    search: settingsSearch,
    nav: { title: m.nav_setting, icon: 'settings', forVisitors: true, key: 's' },
    early: { user: self },
    load: async () => (await import('./settings-page.tsx')).SettingsPage,
  },
  {
    path: '/about',
    access: 'public',
    nav: { title: m.nav_about, icon: 'info', forVisitors: true },
    load: async () => (await import('../features/home/about-screen.tsx')).AboutScreen,
  },
  {
    path: '/chat',
    access: 'public',
    nav: { title: m.nav_chat, icon: 'chat', forVisitors: true },
    load: async () => (await import('../features/home/chat-screen.tsx')).ChatScreen,
  },
  {
    path: '/playground',
    access: 'user',
    optional: true,
    search: playgroundSearch,
    nav: { title: m.play_title, icon: 'flask', folded: true },
    load: async () => (await import('../features/playground/playground-screen.tsx')).PlaygroundScreen,
  },
  {
    path: '/pricing',
    access: 'user',
    optional: true,
    search: pricingSearch,
    nav: { title: m.price_title, icon: 'tag', folded: true },
    early: { user: '+/api/pricing?group=' },
    load: async () => (await import('../features/pricing/pricing-screen.tsx')).PricingScreen,
  },
  {
    path: '/pricing/book',
    access: 'root',
    optional: true,
    search: bookSearch,
    load: async () => (await import('../features/pricing/book/book-screen.tsx')).BookScreen,
  },
  {
    path: '/pricing/book/propose',
    access: 'root',
    optional: true,
    over: '/pricing/book',
    search: bookSearch,
    load: async () => (await import('../features/pricing/book/propose-screen.tsx')).ProposeScreen,
  },
  ...moreScreens,
];
