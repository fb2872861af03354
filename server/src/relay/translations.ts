import type { Dialect } from '../dialects/dialect.ts';
import type { Provider, RelayCall, Translation } from '../providers/provider.ts';
import { convert } from './convert.ts';

/** Finds how calls of a dialect reach a provider. */
export interface Translations {
  /** As they are where it speaks the dialect, else as conversations. Null: this provider does not serve such calls. */
  of(dialect: Dialect, provider: Provider): Translation | null;
}

/** Converts what has a neutral form, and leaves the rest to the vendor. */
const unlessUnconvertible = (converted: Translation, native: Translation): Translation => {
  const forCall = (call: RelayCall): Translation => ('kind' in call.conversation() ? native : converted);
  return {
    ...converted,
    request: (call, channel) => forCall(call).request(call, channel),
    response: (body, call) => forCall(call).response(body, call),
    stream: (call) => forCall(call).stream(call),
  };
};

const translationOf = (dialect: Dialect, { native, codec }: Provider): Translation | null => {
  const own = native[dialect.format];
  const converted = dialect.conversion === undefined || codec === undefined ? null : convert(dialect.conversion, codec);
  if (own === undefined || converted === null) return own ?? converted;
  return own.onlyUnconvertible ? unlessUnconvertible(converted, own) : own;
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
