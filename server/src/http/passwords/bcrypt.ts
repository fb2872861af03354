import { Worker } from 'node:worker_threads';

/** Costs 4 to 14: a higher one would take too long, a lower one does not exist. */
const format = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/;

/** Whether a stored hash is bcrypt's, as imported accounts have it. */
export const isBcrypt = (encoded: string): boolean => format.test(encoded);

/**
 * Compares a password with an imported hash, in a thread for this one time: bcrypt in JavaScript would stall everything
 * else for its tenth of a second, and an imported account needs it once.
 */
export const matchesBcrypt = (password: string, encoded: string): Promise<boolean> => {
  const worker = new Worker(new URL('./bcrypt-thread.ts', import.meta.url), { workerData: { password, encoded } });
  return new Promise((resolve, reject) => {
    worker.once('message', (matches) => resolve(matches === true));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The bcrypt thread did not respond')));
  });
};
