/** `[prefix, guarded, files, requests, requests of administrators, files for phones, 1 before sign-in]` per address; see `routes.ts`. The entry is the file to open; empty: the page opens it. `server`: the gateway's address; empty: the page's own. */
export declare const headScript: (
  routes: readonly (readonly [string, boolean, readonly string[], string, string, readonly string[], 0 | 1])[],
  entry: string,
  server: string,
) => void;
