import { useState } from 'preact/compat';

// It stands for a package, and gives what that gives.
// oxlint-disable-next-line oxc/no-barrel-file
export * from 'preact/compat';
// oxlint-disable-next-line import/no-default-export -- the router asks for it
export { default } from 'preact/compat';

let last = 0;

/**
 * What the console and its packages find under the name of React (decision 11). Preact numbers ids anew in every root,
 * and a menu or a dialog is a root of its own beside the page: its labels would name elements of the page.
 */
export const useId = () => useState(() => `i${(last += 1)}`)[0];
