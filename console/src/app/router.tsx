import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { can } from '@weir/contract/roles';
import { Route, Router, Switch } from 'wouter';
import { useCapabilities } from '../lib/api/capabilities.ts';
import { goToLogin } from '../lib/api/paths.ts';
import { currentUser, useUser } from '../lib/api/session.ts';
import { useStatusKnown } from '../lib/api/status.ts';
import { navigate, useShownPath } from '../lib/router/navigate.ts';
import { OutletContext } from '../lib/router/outlet.tsx';
import { CrashBoundary } from './crashed.tsx';
import { Shell } from './layout/shell.tsx';
import { loadedScreen, loadScreen, reloadOnce } from './load-screen.ts';
import { Loading } from './loading.tsx';
import { NoPermission } from './no-permission.tsx';
import { NotFound } from './not-found.tsx';
import { patternOf } from './screen-at.ts';
import type { Screen } from './screen.ts';
import { screens } from './screens.ts';

/** For wouter: its components use the address of the screen on display, not the one in the address bar. */
const useShownLocation = (): [string, (to: string) => void] => [useShownPath(), (to) => void navigate(to)];

/** The screen, after its code has loaded. */
const Loaded = ({ screen }: { readonly screen: Screen }) => {
  const [Component, setComponent] = useState(() => loadedScreen(screen));
  const [failure, setFailure] = useState<Error>();
  useEffect(() => {
    if (Component) return;
    loadScreen(screen).then(
      () => setComponent(() => loadedScreen(screen)),
      (error: Error) => reloadOnce(error) || setFailure(error),
    );
  }, [screen, Component]);
  if (failure) throw failure;
  return Component ? <Component /> : <Loading />;
};

/** Sends visitors without a session to sign in; users with too low a role see why they have no access. */
const Guarded = ({ screen }: { readonly screen: Screen }) => {
  // Checked when the screen opens: if the session ends later, the call that fails redirects.
  const [opened] = useState(currentUser);
  const user = useUser() ?? opened;
  const signedOut = user === undefined && screen.access !== 'public';
  const capabilities = useCapabilities();
  const statusKnown = useStatusKnown();
  useEffect(() => {
    if (signedOut) goToLogin('');
  }, [signedOut]);
  if (signedOut) return null;
  if (!can(user?.role, screen.access)) return <NoPermission />;
  if (screen.optional && !capabilities) return statusKnown ? <NotFound /> : <Loading />;
  return <Loaded screen={screen} />;
};

const routeOf = (screen: Screen, over: readonly Screen[]): ReactNode => (
  <Route key={screen.path} path={patternOf([screen, ...over].map(({ path }) => path))}>
    <CrashBoundary>
      <OutletContext value={over.length > 0 && <Switch>{over.map((sheet) => routeOf(sheet, []))}</Switch>}>
        <Guarded screen={screen} />
      </OutletContext>
    </CrashBoundary>
  </Route>
);

const routes = screens
  .filter(({ over }) => over === undefined)
  .map((screen) =>
    routeOf(
      screen,
      screens.filter(({ over }) => over === screen.path),
    ),
  );

/** The frame of the app with the screen of the address. A list stays while a screen opens over it. */
export const AppRouter = () => (
  <Router hook={useShownLocation}>
    <Shell>
      <Switch>
        {routes}
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Shell>
  </Router>
);
