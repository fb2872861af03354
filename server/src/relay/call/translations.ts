import type { Dialect } from '../../dialects/dialect.ts';
import type { Provider, ProviderCall, Translation } from '../../providers/provider.ts';
import { convert } from './convert.ts';
import { embed } from './embed.ts';

/** Finds how calls of a dialect reach a provider. */
export interface Translations {
  /**
   * Unchanged if the provider has the dialect, else by a neutral form. Null: this provider does not serve such calls.
   */
  of(dialect: Dialect, provider: Provider): ((call: ProviderCall) => Translation) | null;
}

/** By one of the neutral forms. Null: the two have none in common. */
const converted = (dialect: Dialect, { codec, embedder }: Provider): Translation | null => {
  if (dialect.conversion !== undefined && codec !== undefined) return convert(dialect.conversion, codec);
  return dialect.embeddings === undefined || embedder === undefined ? null : embed(dialect.embeddings, embedder);
};

/** Formats whose codec reads the same answers as their pass-through. */
const sameAnswers: ReadonlySet<string> = new Set(['openai-chat', 'anthropic-messages', 'gemini']);

/** Where a stream was requested and one JSON object came, the client gets a stream of it; and the reverse. */
const inRequestedForm = (own: Translation, neutral: Translation): Translation => ({
  ...own,
  ...(neutral.collected && { collected: neutral.collected }),
  response: (body, call) => (call.stream ? neutral : own).response(body, call),
});

const passThrough = (dialect: Dialect, provider: Provider, neutral: Translation | null): Translation | undefined => {
  const own = provider.native[dialect.format];
  const isSame = own !== undefined && neutral !== null && sameAnswers.has(dialect.format);
  return isSame ? inRequestedForm(own, neutral) : own;
};

const translationOf = (dialect: Dialect, provider: Provider): ((call: ProviderCall) => Translation) | null => {
  const neutral = converted(dialect, provider);
  const own = passThrough(dialect, provider, neutral);
  const only = own?.only;
  if (own !== undefined && neutral !== null && only !== undefined) return (call) => (only(call) ? own : neutral);
  const one = own ?? neutral;
  return one === null ? null : () => one;
};

export const createTranslations = (): Translations => {
  const known = new Map<Provider, Map<Dialect, ReturnType<Translations['of']>>>();
  return {
    of: (dialect, provider) => {
      const ofProvider = known.get(provider) ?? new Map<Dialect, ReturnType<Translations['of']>>();
      known.set(provider, ofProvider);
      const found = ofProvider.get(dialect);
      if (found !== undefined) return found;
      const translation = translationOf(dialect, provider);
      ofProvider.set(dialect, translation);
      return translation;
    },
  };
};
