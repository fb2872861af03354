/** Bytes of requests between two collections; copies included, half of the 64 MB after which V8 collects everything. */
const betweenBytes = 16 * 1024 * 1024;

/** Collects the young objects; absent where Node was not started with `--expose-gc` (`server/start.json`). */
type CollectYoung = (() => unknown) | undefined;

/**
 * Gives back the memory of bodies that are over. It is outside the heap, and V8 looks for it only in full collections,
 * one for each 64 MB: a collection of the young objects finds nearly all of it at a tenth of the cost.
 */
export const createBodyMemory = (collectYoung: CollectYoung) => {
  let bytes = 0;
  return {
    /** Counts a body that was read. */
    read: (size: number): void => {
      bytes += size;
      if (bytes < betweenBytes || collectYoung === undefined) return;
      bytes = 0;
      // On an empty stack nothing seems to be in use that is not.
      setImmediate(collectYoung);
    },
  };
};

const { gc } = globalThis;

/** Of this process: it has one heap. */
export const bodyMemory = createBodyMemory(gc && (() => gc({ type: 'minor' })));
