import { join } from 'node:path';
import type { Plugin } from 'vite';

const noLink = '\0weir:no-link';

/**
 * Leaves out parts of packages that the console never reaches but the bundler cannot tell: the router's link
 * component, which every route carries (our links are plain anchors, see `follow-links.ts`), and all but a few lines
 * of the message runtime. A release that wants more of them fails the build for a missing export.
 */
export const trims = (): Plugin => ({
  name: 'weir:trims',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer = '') {
    if (source === './link.js' && importer.endsWith('/react-router/dist/esm/route.js')) return noLink;
    if (source.endsWith('/runtime.js') && importer.includes('/console/src/'))
      return join(import.meta.dirname, 'slim-runtime.js');
    return null;
  },
  load(id) {
    return id === noLink ? "export const Link = 'a';" : null;
  },
});
