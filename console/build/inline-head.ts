import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minifySync } from 'vite';
import type { IndexHtmlTransformContext, Plugin, Rollup } from 'vite';
import { headScript } from './head-script.js';
import { readHeadRoutes } from './routes.ts';
import type { HeadRoute } from './routes.ts';

type Bundle = Rollup.OutputBundle;

const chunkOf = (bundle: Bundle, module: string) =>
  Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(`/console/${module}`)),
  );

/** A chunk with everything it imports statically. */
const closure = (bundle: Bundle, fileName: string, seen = new Set<string>()): Set<string> => {
  const chunk = bundle[fileName];
  if (chunk?.type !== 'chunk' || seen.has(fileName)) return seen;
  seen.add(fileName);
  for (const imported of chunk.imports) closure(bundle, imported, seen);
  return seen;
};

const filesFor = (bundle: Bundle, modules: readonly string[]): string[] => {
  const files = new Set<string>();
  for (const module of modules) {
    const chunk = chunkOf(bundle, module);
    if (chunk === undefined) throw new Error(`no chunk holds ${module}`);
    for (const file of closure(bundle, chunk.fileName)) files.add(`/${file}`);
  }
  return [...files];
};

const scriptFor = (routes: readonly HeadRoute[], bundle: Bundle | undefined): string => {
  const filesOf = (modules: readonly string[]): string[] => (bundle ? filesFor(bundle, modules) : []);
  const rows = routes.map(({ pattern, guarded, auth, modules, phoneModules, request, adminRequest }) => {
    const files = filesOf(modules);
    const onPhones = filesOf(phoneModules).filter((file) => !files.includes(file));
    return [pattern, guarded ? 1 : 0, files, request, adminRequest, onPhones, auth ? 1 : 0];
  });
  const server = process.env['VITE_SERVER'] ?? '';
  // Without a bundle, in development, the page's own tag opens the entry.
  const [entry = ''] = filesOf(['src/app/boot.ts']);
  const call = `(${headScript.toString()})(${[rows, entry, server].map((value) => JSON.stringify(value)).join()})`;
  return minifySync('head.js', call).code.trim();
};

/** Takes the stylesheet out of the bundle: it is small, and a request for it would only delay the first paint. */
const takeStyles = (bundle: Bundle): string => {
  const sheets = Object.values(bundle).filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'));
  for (const sheet of sheets) delete bundle[sheet.fileName];
  return sheets.map((sheet) => (sheet.type === 'asset' ? String(sheet.source).trim() : '')).join('');
};

/** The icons are one file, which the first view needs: without this it would be found when the scripts have run. */
const preloadIcons = (bundle: Bundle): string => {
  const icons = Object.values(bundle).find(({ fileName }) => /\bicons-[^/]*\.svg$/.test(fileName));
  if (icons === undefined) throw new Error('no asset holds the icons');
  return `<link rel="preload" as="image" href="/${icons.fileName}" />`;
};

const cspHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Puts the head script and the styles into the page and writes `csp.json`: the hashes under which a strict
 * content security policy (no `unsafe-inline`) allows them.
 */
export const inlineHead = (): Plugin => {
  let policy = '';
  const handler = async (html: string, { bundle }: IndexHtmlTransformContext): Promise<string> => {
    const script = scriptFor(await readHeadRoutes(), bundle);
    const withScript = html.replace('</title>', () => `</title>\n    <script>${script}</script>`);
    if (bundle === undefined) return withScript;
    const styles = takeStyles(bundle);
    policy = JSON.stringify({ script: cspHash(script), style: cspHash(styles) });
    return withScript
      .replace(/\s*<link rel="(?:stylesheet|modulepreload)"[^>]*>|\s*<script type="module"[^>]*><\/script>/g, '')
      .replace('</head>', () => `  <style>${styles}</style>\n    ${preloadIcons(bundle)}\n  </head>`);
  };
  return {
    name: 'weir:inline-head',
    transformIndexHtml: { order: 'post', handler },
    async writeBundle(options) {
      await writeFile(join(options.dir ?? 'dist', 'csp.json'), policy);
    },
  };
};
