/** Runs work that concerns the same key one after the other, in this process. */
export type KeyedMutex = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Makes those who want the same row wait in memory: waiting for its lock, each of them would keep a connection of the
 * database, of which there are few. The lock still decides between processes.
 */
export const createKeyedMutex = (): KeyedMutex => {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
};
