import { join } from 'node:path';
import type { Plugin } from 'vite';

interface Trim {
  readonly source: string;
  readonly importer: string;
  readonly instead: string;
}

const left: readonly Trim[] = [
  { source: './link.js', importer: '/react-router/dist/esm/route.js', instead: "export const Link = 'a';" },
  {
    source: './mutation.js',
    importer: '/query-core/build/modern/mutationCache.js',
    instead: 'export class Mutation {}',
  },
  {
    source: './infiniteQueryBehavior.js',
    importer: '/query-core/build/modern/query.js',
    instead: 'export const infiniteQueryBehavior = () => undefined;',
  },
];

const prefix = '\0weir:trim';

/**
 * Leaves out parts of packages that the console never reaches but the bundler cannot tell: the router's link
 * component, which every route carries (our links are plain anchors, see `follow-links.ts`), the query library's
 * mutations and endless lists (nothing here uses either), and all but a few lines of the message runtime. A release
 * that wants more of them fails the build for a missing export.
 */
export const trims = (): Plugin => ({
  name: 'weir:trims',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const place = left.findIndex((trim) => source === trim.source && importer.endsWith(trim.importer));
    if (place >= 0) return prefix + place;
    if (source.endsWith('/runtime.js') && importer.includes('/console/src/'))
      return join(import.meta.dirname, 'slim-runtime.js');
    return null;
  },
  load(id) {
    return id.startsWith(prefix) ? left[Number(id.slice(prefix.length))]?.instead : null;
  },
});
