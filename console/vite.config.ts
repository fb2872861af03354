import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { defineConfig } from 'vite';
import { chunkGroups } from './build/chunks.ts';
import { contractData } from './build/contract-data.ts';
import { inlineHead } from './build/inline-head.ts';
import { precompress } from './build/precompress.ts';
import { trims } from './build/trims.ts';

/** A gateway to develop against; the browser sees one origin, as in production (wire contract 1.6). */
const gateway = process.env['WEIR_GATEWAY'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    trims(),
    contractData(),
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/paraglide',
      strategy: ['globalVariable', 'baseLocale'],
      isServer: 'false',
      emitReadme: false,
    }),
    react(),
    tailwindcss(),
    inlineHead(),
    precompress({ thorough: process.env['CONSOLE_PACKING'] !== 'quick' }),
  ],
  resolve: {
    alias: [
      // React 18 and later have it built in; packages still ask for the shim of older ones.
      {
        find: /^use-sync-external-store\/shim\/with-selector(?:\.js)?$/,
        replacement: 'use-sync-external-store/with-selector',
      },
      { find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' },
    ],
  },
  define: {
    // Without the hook of its developer tools React leaves out the code that reports to it.
    __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined',
    // Empty: the console is served by the gateway it talks to.
    'import.meta.env.VITE_SERVER': JSON.stringify(process.env['VITE_SERVER'] ?? ''),
  },
  server: { proxy: { '/api': gateway, '/v1': gateway } },
  build: {
    target: 'es2023',
    // data: addresses would need a hole in the content security policy.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Nearly all of a build is spent in the plugins: that is no news.
      checks: { bundlerTimings: false },
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        codeSplitting: { groups: chunkGroups(import.meta.dirname) },
      },
    },
  },
});
