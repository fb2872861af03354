import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { defineConfig } from 'vite';
import { chunkGroups } from './build/chunks.ts';
import { contractData } from './build/contract-data.ts';
import { eagerCompile } from './build/eager-compile.ts';
import { inlineHead } from './build/inline-head.ts';
import { precompress } from './build/precompress.ts';
import { routerPending } from './build/router-pending.ts';
import { trims } from './build/trims.ts';

/** A gateway to develop against; the browser sees one origin, as in production (wire contract 1.6). */
const gateway = process.env['WEIR_GATEWAY'] ?? 'http://127.0.0.1:3000';

const view = join(import.meta.dirname, 'build', 'react.js');

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    trims(),
    routerPending(),
    contractData(),
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/paraglide',
      strategy: ['globalVariable', 'baseLocale'],
      isServer: 'false',
      emitReadme: false,
    }),
    tailwindcss(),
    inlineHead(),
    eagerCompile(),
    precompress({ thorough: process.env['CONSOLE_PACKING'] !== 'quick' }),
  ],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: [
      // Preact draws (decision 11): packages made for React find it under React's names.
      { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react$/, replacement: view },
      { find: /^react-dom$/, replacement: 'preact/compat' },
      // React 18 and later have it built in; packages still ask for the shim of older ones.
      {
        find: /^use-sync-external-store\/shim\/with-selector(?:\.js)?$/,
        replacement: 'use-sync-external-store/with-selector',
      },
      { find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: view },
    ],
  },
  define: {
    // Empty: the console is served by the gateway it talks to.
    'import.meta.env.VITE_SERVER': JSON.stringify(process.env['VITE_SERVER'] ?? ''),
  },
  // Packages are bundled for development as well, past the plugins above.
  optimizeDeps: { rolldownOptions: { plugins: [routerPending()] } },
  server: { proxy: { '/api': gateway, '/v1': gateway } },
  build: {
    target: 'es2023',
    // data: addresses would need a hole in the content security policy.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Nearly all of a build is spent in the plugins, and packages say "use client" to servers: that is no news.
      checks: { bundlerTimings: false, moduleLevelDirective: false },
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        codeSplitting: { groups: chunkGroups(import.meta.dirname) },
      },
    },
  },
});
