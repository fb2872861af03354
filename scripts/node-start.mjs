import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/**
 * What the server's Node is started with, so that requests and thousands of open streams take less time and memory.
 * Young objects get 32 MB at a time instead of up to 64. None is put among the old ones at once because others from its
 * place lived long: what belongs to a call dies with it, and from there would keep the rest of its call until a full
 * collection. Where much memory lies outside of the heap, the server asks for collections itself
 * (`relay/client/body-memory.ts`). The C library keeps what is freed in two places instead of one for each thread.
 * @returns {{ flags: string[], env: Record<string, string> }}
 */
export const nodeStart = () => JSON.parse(readFileSync(join(root, 'server', 'start.json'), 'utf8'));
