import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/**
 * What the server's Node is started with: young objects get 16 MB at a time instead of up to 64, of which thousands of
 * open streams would make use without being any faster.
 * @returns {string[]}
 */
export const nodeFlags = () => JSON.parse(readFileSync(join(root, 'server', 'node-flags.json'), 'utf8'));
