import type { Dialect } from '../dialects/dialect.ts';
import type { Provider, RelayCall, Translation } from '../providers/provider.ts';
import { convert } from './convert.ts';
import { embed } from './embed.ts';

/** Finds how calls of a dialect reach a provider. */
export interface Translations {
  /** As they are where it speaks the dialect, else as conversations. Null: this provider does not serve such calls. */
  of(dialect: Dialect, provider: Provider): Translation | null;
}

/** Converts what has a neutral form, and leaves the rest to the vendor. */
const unlessUnconvertible = (neutral: Translation, native: Translation): Translation => {
  const forCall = (call: RelayCall): Translation => ('kind' in call.conversation() ? native : neutral);
  return {
    ...neutral,
    request: (call, channel) => forCall(call).request(call, channel),
    response: (body, call) => forCall(call).response(body, call),
    stream: (call) => forCall(call).stream(call),
  };
};

/** By one of the neutral forms. Null: the two have none in common. */
const converted = (dialect: Dialect, { codec, embedder }: Provider): Translation | null => {
  if (dialect.conversion !== undefined && codec !== undefined) return convert(dialect.conversion, codec);
  return dialect.embeddings === undefined || embedder === undefined ? null : embed(dialect.embeddings, embedder);
};

const translationOf = (dialect: Dialect, provider: Provider): Translation | null => {
  const own = provider.native[dialect.format];
  const neutral = converted(dialect, provider);
  if (own === undefined || neutral === null) return own ?? neutral;
  return own.onlyUnconvertible ? unlessUnconvertible(neutral, own) : own;
};

export const createTranslations = (): Translations => {
  const known = new Map<Provider, Map<Dialect, Translation | null>>();
  return {
    of: (dialect, provider) => {
      const ofProvider = known.get(provider) ?? new Map<Dialect, Translation | null>();
      known.set(provider, ofProvider);
      const found = ofProvider.get(dialect);
      if (found !== undefined) return found;
      const translation = translationOf(dialect, provider);
      ofProvider.set(dialect, translation);
      return translation;
    },
  };
};
