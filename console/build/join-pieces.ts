/** Modules that the same screens need. */
export interface Piece {
  readonly screens: ReadonlySet<string>;
  readonly modules: readonly string[];
}

interface JoinOptions {
  /** Chunks at most. */
  readonly max: number;
  /** How much a byte for a screen counts. */
  readonly weightOf: (screen: string) => number;
  /** Bytes of a module's source. */
  readonly sizeOf: (module: string) => number;
  readonly importsOf: (module: string) => readonly string[];
}

/** Pieces that are loaded as one file. */
interface Chunk {
  pieces: readonly number[];
  /** Its pieces and those of all chunks that it imports, directly or by others: a browser loads all of them. */
  loads: ReadonlySet<number>;
  /** The screens that load it, whether they need it or not. */
  screens: ReadonlySet<string>;
}

const union = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): ReadonlySet<T> => new Set([...one, ...other]);

const joinTwo = (one: Chunk, other: Chunk): Chunk => ({
  pieces: [...one.pieces, ...other.pieces],
  loads: union(one.loads, other.loads),
  screens: union(one.screens, other.screens),
});

/** For each piece the pieces that its modules import, directly or by others, and itself. */
const closures = (pieces: readonly Piece[], importsOf: JoinOptions['importsOf']): readonly ReadonlySet<number>[] => {
  const pieceOf = new Map(pieces.flatMap(({ modules }, index) => modules.map((module) => [module, index] as const)));
  const direct = pieces.map(({ modules }) =>
    modules.flatMap(importsOf).flatMap((imported) => pieceOf.get(imported) ?? []),
  );
  return pieces.map((_, start) => {
    const seen = new Set([start]);
    // The set grows during the loop.
    for (const index of seen) for (const next of direct[index] ?? []) seen.add(next);
    return seen;
  });
};

/**
 * Joins pieces into at most `max` chunks: always the two whose union makes screens load the fewest weighted bytes more,
 * with what they then load by imports. Returns the modules of each chunk, those that most screens load first.
 */
export const joinPieces = (
  pieces: readonly Piece[],
  { max, weightOf, sizeOf, importsOf }: JoinOptions,
): readonly (readonly string[])[] => {
  const sizes = pieces.map(({ modules }) => modules.reduce((sum, module) => sum + sizeOf(module), 0));
  const loaded = closures(pieces, importsOf);
  let chunks: Chunk[] = pieces.map(({ screens }, index) => ({
    pieces: [index],
    loads: loaded[index] ?? new Set(),
    screens,
  }));
  const loadsOf = new Map<string, ReadonlySet<number>>();
  const load = (screens: Iterable<string>, loads: ReadonlySet<number>): void => {
    for (const screen of screens) loadsOf.set(screen, union(loadsOf.get(screen) ?? new Set(), loads));
  };
  for (const chunk of chunks) load(chunk.screens, chunk.loads);

  /** Weighted bytes of a chunk, with what it loads, that a screen does not load yet. */
  const missing = (screen: string, { loads }: Chunk): number => {
    const present = loadsOf.get(screen);
    let bytes = 0;
    for (const index of loads) if (!present?.has(index)) bytes += sizes[index] ?? 0;
    return bytes * weightOf(screen);
  };
  const cheapest = (): readonly [Chunk, Chunk] | undefined => {
    const costs = new Map(
      chunks.map((chunk) => [chunk, new Map([...loadsOf.keys()].map((screen) => [screen, missing(screen, chunk)]))]),
    );
    /** What the screens of one chunk would load more of another one. */
    const extra = (one: Chunk, other: Chunk): number => {
      const costOf = costs.get(other);
      let sum = 0;
      for (const screen of one.screens) sum += costOf?.get(screen) ?? 0;
      return sum;
    };
    let best: readonly [Chunk, Chunk] | undefined;
    let least = Infinity;
    for (const [index, one] of chunks.entries())
      for (const other of chunks.slice(index + 1)) {
        const cost = extra(one, other) + extra(other, one);
        if (cost < least) [best, least] = [[one, other], cost];
      }
    return best;
  };
  while (chunks.length > max) {
    const pair = cheapest();
    if (pair === undefined) break;
    const joined = joinTwo(...pair);
    load(joined.screens, joined.loads);
    chunks = [...chunks.filter((chunk) => !pair.includes(chunk)), joined];
    for (const chunk of chunks) {
      if (joined.pieces.some((index) => chunk.loads.has(index))) chunk.loads = union(chunk.loads, joined.loads);
      if (chunk.pieces.some((index) => joined.loads.has(index))) chunk.screens = union(chunk.screens, joined.screens);
    }
  }
  return chunks
    .toSorted((one, other) => other.screens.size - one.screens.size)
    .map(({ pieces: indexes }) => indexes.flatMap((index) => pieces[index]?.modules ?? []));
};
