import * as v from 'valibot';
import { undatedName } from '../../billing/price/book/model-names.ts';

interface Comparison {
  /** Names that the provider lists. */
  readonly listed: readonly string[];
  /** Comma-joined, as a channel has them. */
  readonly offered: string;
  /** JSON object text, or empty. */
  readonly mapping: string;
}

interface ComparedModel {
  /** The name that clients call it by. */
  readonly name: string;
  /** The name that the provider gets. */
  readonly sent: string;
  readonly listed: boolean;
  readonly offered: boolean;
}

const mappingSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

const readMapping = (text: string): ReadonlyMap<string, string> => {
  const read = v.safeParse(mappingSchema, text);
  return new Map(read.success ? Object.entries(read.output).filter(([, name]) => name !== '') : []);
};

/** Vendors list some models with a date only, servers with a tag, and both are called without. */
const withoutAddition = (name: string): string => undatedName(name.replace(/:latest$/, ''));

/** The models that a channel offers, in its order, and then those that its provider lists beside them. */
export const compareModels = ({ listed, offered: text, mapping }: Comparison): readonly ComparedModel[] => {
  const redirections = readMapping(mapping);
  const sentFor = (name: string): string => redirections.get(name) ?? name;
  const offered = text.split(',').filter((name) => name !== '');
  const exact = new Set(listed);
  const undated = new Set(listed.map(withoutAddition));
  /** A name with a date of its own is there only as it is. */
  const isListed = (name: string): boolean => {
    const plain = name.replace(/(?:-|:)latest$/, '');
    return exact.has(name) || exact.has(`${name}:latest`) || (withoutAddition(plain) === plain && undated.has(plain));
  };
  const known = new Set([...offered, ...offered.map(sentFor), ...offered.map((name) => `${sentFor(name)}:latest`)]);
  return [
    ...offered.map((name) => ({ name, sent: sentFor(name), listed: isListed(sentFor(name)), offered: true })),
    ...listed
      .filter((name) => !known.has(name))
      .map((name) => ({ name, sent: sentFor(name), listed: true, offered: false })),
  ];
};
