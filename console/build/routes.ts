const app = 'src/app/app-entry.tsx';
/** The screens before sign-in. */
export const authEntry = 'src/app/auth-entry.tsx';

const ownLog = '/api/log/self?p=0&type=0&token_name=&model_name=&start_timestamp={dayAgo}&end_timestamp=0';
const wholeLog =
  '/api/log/?p=0&type=0&token_name=&model_name=&start_timestamp={dayAgo}&end_timestamp=0&username=&channel=0';

/**
 * What the head script does for an address: `[prefix, guarded, entry modules, first requests (apart by a space), those of
 * administrators where they are others, modules that only phones show]`. First fit wins. A request with a plus in front is
 * one that only some servers of the contract answer.
 */
export const headRoutes: readonly (readonly [
  prefix: string,
  guarded: boolean,
  modules: readonly string[],
  request: string,
  adminRequest?: string,
  phoneModules?: readonly string[],
])[] = [
  ['/login', false, [authEntry], ''],
  ['/oauth', false, [authEntry, 'src/features/auth/oauth-screen.tsx'], ''],
  ['/register', false, [authEntry, 'src/features/auth/register-screen.tsx'], ''],
  ['/reset', false, [authEntry, 'src/features/auth/reset-screen.tsx'], ''],
  ['/user/reset', false, [authEntry, 'src/features/auth/reset-confirm-screen.tsx'], ''],
  [
    '/token/add',
    true,
    [app, 'src/features/tokens/list/tokens-screen.tsx', 'src/features/tokens/form/token-form-screen.tsx'],
    '/api/user/self',
  ],
  [
    '/token/edit',
    true,
    [app, 'src/features/tokens/list/tokens-screen.tsx', 'src/features/tokens/form/token-form-screen.tsx'],
    '',
  ],
  ['/token/', true, [app, 'src/features/tokens/detail/detail-screen.tsx'], ''],
  ['/token', true, [app, 'src/features/tokens/list/tokens-screen.tsx'], '/api/token/?p=0&order='],
  ['/channel/add', true, [app, 'src/features/channels/form/channel-form-screen.tsx'], ''],
  ['/channel/edit', true, [app, 'src/features/channels/form/channel-form-screen.tsx'], ''],
  ['/channel/', true, [app, 'src/features/channels/health/health-screen.tsx'], ''],
  ['/channel', true, [app, 'src/features/channels/list/channels-screen.tsx'], '', '/api/channel/?p=0'],
  [
    '/redemption/add',
    true,
    [app, 'src/features/redemptions/redemptions-screen.tsx', 'src/features/redemptions/redemption-form-screen.tsx'],
    '',
  ],
  [
    '/redemption/edit',
    true,
    [app, 'src/features/redemptions/redemptions-screen.tsx', 'src/features/redemptions/redemption-form-screen.tsx'],
    '',
  ],
  ['/redemption', true, [app, 'src/features/redemptions/redemptions-screen.tsx'], '', '/api/redemption/?p=0'],
  ['/topup', true, [app, 'src/features/topup/topup-screen.tsx'], '/api/user/self'],
  ['/user/add', true, [app, 'src/features/users/users-screen.tsx', 'src/features/users/user-form-screen.tsx'], ''],
  [
    '/dashboard',
    true,
    [app, 'src/features/dashboard/dashboard-screen.tsx'],
    '/api/user/self +/api/usage/self?start_timestamp={weekBegin}&by=model',
  ],
  ['/pricing', true, [app, 'src/features/pricing/pricing-screen.tsx'], '+/api/pricing?group='],
  ['/audit', true, [app, 'src/features/audit/audit-screen.tsx'], ''],
  ['/playground', true, [app, 'src/features/playground/playground-screen.tsx'], ''],
  [
    '/log',
    true,
    [app, 'src/features/logs/logs-screen.tsx'],
    ownLog,
    wholeLog,
    ['src/features/logs/list/phone-logs.tsx'],
  ],
  ['/user/edit', true, [app, 'src/features/account/profile-screen.tsx'], '/api/user/self'],
  ['/user', true, [app, 'src/features/users/users-screen.tsx'], '', '/api/user/?p=0&order='],
  ['/setting', true, [app, 'src/app/settings-page.tsx'], '/api/user/self'],
  ['/', false, [app, 'src/features/home/home-screen.tsx'], '/api/home_page_content'],
  ['', false, [app], ''],
];
