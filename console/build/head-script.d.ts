/** `[prefix, guarded, files, requests, requests of administrators, files for phones]` per address; see `routes.ts`. */
export declare const headScript: (
  routes: readonly (readonly [string, boolean, readonly string[], string, string, readonly string[]])[],
) => void;
