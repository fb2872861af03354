/** `[prefix, guarded, files, request]` per address; see `routes.ts`. */
export declare const headScript: (routes: readonly (readonly [string, boolean, readonly string[], string])[]) => void;
