/** What the head script does for an address: `[prefix, guarded, entry modules, first request]`. First fit wins. */
export const headRoutes: readonly (readonly [
  prefix: string,
  guarded: boolean,
  modules: readonly string[],
  request: string,
])[] = [
  ['/login', false, ['src/app/auth-entry.tsx'], ''],
  ['/token', true, ['src/app/app-entry.tsx', 'src/features/tokens/tokens-screen.tsx'], '/api/token/?p=0&order='],
  ['/channel', true, ['src/app/app-entry.tsx', 'src/features/channels/channels-screen.tsx'], '/api/channel/?p=0'],
  ['/log', true, ['src/app/app-entry.tsx', 'src/features/logs/logs-screen.tsx'], ''],
  ['', false, ['src/app/app-entry.tsx'], ''],
];
