import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/**
 * Start flags and environment of the server's Node, which reduce the time and memory of requests and open streams.
 * The young generation has 32 MB instead of up to 64. No object is allocated in the old generation because others of its
 * allocation site lived long: the objects of a call end with it, and an old one would keep the rest of its call until a
 * full collection. If much memory is outside of the heap, the server starts collections itself
 * (`relay/client/body-memory.ts`). The C library has two memory arenas instead of one for each thread.
 * @returns {{ flags: string[], env: Record<string, string> }}
 */
export const nodeStart = () => JSON.parse(readFileSync(join(root, 'server', 'start.json'), 'utf8'));
