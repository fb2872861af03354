import type { Dialect } from '../dialects/dialect.ts';
import type { Provider, Translation } from '../providers/provider.ts';
import { convert } from './convert.ts';

/** Finds how calls of a dialect reach a provider. */
export interface Translations {
  /** As they are where it speaks the dialect, else as conversations. Null: this provider does not serve such calls. */
  of(dialect: Dialect, provider: Provider): Translation | null;
}

export const createTranslations = (): Translations => {
  const converted = new Map<Provider, Map<Dialect, Translation>>();
  return {
    of: (dialect, provider) => {
      const native = provider.native[dialect.format];
      if (native !== undefined) return native;
      const { codec } = provider;
      if (dialect.conversion === undefined || codec === undefined) return null;
      const known = converted.get(provider) ?? new Map<Dialect, Translation>();
      converted.set(provider, known);
      const translation = known.get(dialect) ?? convert(dialect.conversion, codec);
      known.set(dialect, translation);
      return translation;
    },
  };
};
