import tailwindcss from '@tailwindcss/vite';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { defineConfig } from 'vite';
import { chunkGroups } from './build/chunks.ts';
import { compactMessages } from './build/compact-messages.ts';
import { contractData } from './build/contract-data.ts';
import { eagerCompile } from './build/eager-compile.ts';
import { inlineHead } from './build/inline-head.ts';
import { writeInlangProject } from './build/inlang-project.ts';
import { precompress } from './build/precompress.ts';

/** A gateway to develop against; the browser sees one origin, as in production (wire contract 1.6). */
const gateway = process.env['WEIR_GATEWAY'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    contractData(),
    paraglideVitePlugin({
      project: writeInlangProject(import.meta.dirname),
      outdir: './src/paraglide',
      strategy: ['globalVariable', 'baseLocale'],
      isServer: 'false',
      emitReadme: false,
    }),
    compactMessages(),
    tailwindcss(),
    inlineHead(),
    eagerCompile(),
    precompress({ thorough: process.env['CONSOLE_PACKING'] !== 'quick' }),
  ],
  define: {
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
