import type { Plugin, Rollup } from 'vite';

/** https://explainers-by-googlers.github.io/explicit-javascript-compile-hints-file-based/ */
const hint = '//# allFunctionsCalledOnLoad\n';

/**
 * Asks the browser to compile a script whole while it arrives, beside the page. Left alone it compiles each function when
 * it is first called, in the way of the first paint: a third of the time until then on a slow phone. What a chunk
 * carries is nearly all needed (`chunks.ts`). Browsers that do not know the hint read a comment.
 */
export const eagerCompile = (): Plugin => ({
  name: 'weir:eager-compile',
  generateBundle: {
    // The bundler itself puts lines in front of a chunk; the hint holds only as the first of all.
    order: 'post',
    handler(_options, bundle: Rollup.OutputBundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = hint + file.code;
    },
  },
});
