import type { Plugin, Rollup } from 'vite';

/** https://explainers-by-googlers.github.io/explicit-javascript-compile-hints-file-based/ */
const hint = '//# allFunctionsCalledOnLoad\n';

/**
 * Tells the browser to compile a whole script while it arrives, in parallel with the page. By default it compiles each
 * function on its first call, which delays the first paint: a third of the time to it on a slow phone. Nearly all code
 * of a chunk is needed (`chunks.ts`). Browsers without support for the hint read a comment.
 */
export const eagerCompile = (): Plugin => ({
  name: 'weir:eager-compile',
  generateBundle: {
    // The bundler puts lines before a chunk's code; the hint only works as the first line.
    order: 'post',
    handler(_options, bundle: Rollup.OutputBundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = hint + file.code;
    },
  },
});
