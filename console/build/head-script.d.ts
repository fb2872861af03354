/** `[prefix, guarded, files, requests, requests of administrators, files for phones, 1 before sign-in]` per address; see `routes.ts`. */
export declare const headScript: (
  routes: readonly (readonly [string, boolean, readonly string[], string, string, readonly string[], 0 | 1])[],
) => void;
