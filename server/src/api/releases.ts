import { getLatestRelease } from '@weir/contract/releases';
import { route, type Routes } from '../http/route.ts';
import { fetchLatestRelease } from '../integrations/releases.ts';

export const releaseRoutes = (routes: Routes, { releasesUrl }: { readonly releasesUrl: string | undefined }): void => {
  route(routes, getLatestRelease, async () => ({ data: await fetchLatestRelease(releasesUrl) }));
};
