import { builtInCompletionRatio } from './built-in-completion-ratio.ts';
import { createPrice, type Price } from './price.ts';
import { divide, multiply, one, parseRatio, parseRatioTable, type Ratio } from './ratio.ts';
import { partRatiosOf } from './usage-parts.ts';

/** The JSON texts of the ratio options. An empty or unreadable text counts as an empty table. */
export interface RatioTexts {
  readonly modelRatio: string;
  readonly completionRatio: string;
  readonly groupRatio: string;
  readonly partRatio: string;
}

/** The input of a price: the model after redirection, the channel's type and the group of the account. */
export interface PriceQuestion {
  readonly model: string;
  readonly channelType: number;
  readonly group: string;
  /** Another model that writes the transcripts of a session, at its own prices where a table names it; absent: none. */
  readonly transcriber?: string;
}

/** Immutable prices of one version of the ratio options. */
export interface PriceTable {
  readonly version: number;
  price(question: PriceQuestion): Price;
}

/**
 * For a model that no table names: high on purpose, so that no model is sold below cost by mistake (wire contract 3.6).
 */
const unknownModelRatio: Ratio = parseRatio('30') ?? one;

/** Cached prices of one table; at this many the cache is cleared. */
const rememberedMax = 10_000;

type Table = ReadonlyMap<string, Ratio>;
const empty: Table = new Map();

/** `NAME(TYPE)` in the options, then among the defaults; then NAME likewise. */
const lookUp = (name: string, channelType: number, options: Table, defaults: Table): Ratio | undefined => {
  const typed = `${name}(${channelType})`;
  return options.get(typed) ?? defaults.get(typed) ?? options.get(name) ?? defaults.get(name);
};

const withoutInternet = (model: string, families: readonly string[]): string =>
  model.endsWith('-internet') && families.some((family) => model.startsWith(family))
    ? model.slice(0, -'-internet'.length)
    : model;

/**
 * The price of a session with the price of its transcripts, which another model writes. Unchanged where no table names
 * that model, or where the session is free.
 */
const withTranscripts = (session: Price, own: Price): Price => {
  const prompt = divide(own.model, session.model);
  const completion = divide(own.completion, session.completion);
  if (!own.modelKnown || prompt === null || completion === null) return session;
  return createPrice({
    ...session,
    parts: {
      ...session.parts,
      transcript_prompt: prompt,
      transcript_audio: multiply(prompt, own.parts.audio_prompt ?? one),
      transcript_completion: multiply(prompt, completion),
    },
  });
};

/** Builds the prices of one version from the option texts over the default tables (both as JSON texts). */
export const createPriceTable = (version: number, options: RatioTexts, defaults: RatioTexts): PriceTable => {
  // A price below zero is none: the model counts as one that the table does not name.
  const read = (text: string): Table =>
    new Map([...(parseRatioTable(text) ?? empty)].filter(([, { times }]) => times >= 0n));
  const models = { options: read(options.modelRatio), defaults: read(defaults.modelRatio) };
  const completions = { options: read(options.completionRatio), defaults: read(defaults.completionRatio) };
  const groups = read(options.groupRatio === '' ? defaults.groupRatio : options.groupRatio);
  const parts = read(options.partRatio);
  const remembered = new Map<string, Price>();

  const make = (question: PriceQuestion): Price => {
    const { model, channelType, group, transcriber } = question;
    const modelName = withoutInternet(model, ['qwen-', 'command-']);
    const completionName = withoutInternet(model, ['qwen-']);
    const modelRatio = lookUp(modelName, channelType, models.options, models.defaults);
    const groupRatio = groups.get(group);
    const price = createPrice({
      version,
      model: modelRatio ?? unknownModelRatio,
      completion:
        lookUp(completionName, channelType, completions.options, completions.defaults) ??
        builtInCompletionRatio(completionName),
      group: groupRatio ?? one,
      parts: partRatiosOf(parts, model),
      modelKnown: modelRatio !== undefined,
      groupKnown: groupRatio !== undefined,
    });
    return transcriber === undefined ? price : withTranscripts(price, make({ model: transcriber, channelType, group }));
  };

  return {
    version,
    price: (question) => {
      const { channelType, group, model, transcriber = '' } = question;
      const key = `${channelType}\n${group}\n${model}\n${transcriber}`;
      const known = remembered.get(key);
      if (known !== undefined) return known;
      const price = make(question);
      if (remembered.size >= rememberedMax) remembered.clear();
      remembered.set(key, price);
      return price;
    },
  };
};
