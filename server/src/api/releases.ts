import { getLatestRelease } from '@weir/contract/releases';
import { route, type Routes } from '../http/route.ts';
import type { Outbound } from '../integrations/outbound.ts';
import { fetchLatestRelease } from '../integrations/releases.ts';

interface ReleaseDeps {
  readonly outbound: Outbound;
  readonly releasesUrl: string | undefined;
}

export const releaseRoutes = (routes: Routes, { outbound, releasesUrl }: ReleaseDeps): void => {
  route(routes, getLatestRelease, async () => ({ data: await fetchLatestRelease(outbound, releasesUrl) }));
};
