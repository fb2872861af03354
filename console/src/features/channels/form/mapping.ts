import { isRecord } from '../../../lib/is-record.ts';

/** A redirect: requests for the first model are sent with the second. */
export type Redirect = readonly [from: string, to: string];

/** The redirects of a text; undefined: the text is no JSON object of names. */
export const readMapping = (text: string): readonly Redirect[] | undefined => {
  if (text.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || Array.isArray(value)) return undefined;
    const redirects = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return redirects.length === Object.keys(value).length ? redirects : undefined;
  } catch {
    return undefined;
  }
};

/** The text of redirects; rows without a first name are incomplete and omitted. */
export const mappingText = (redirects: readonly Redirect[]): string => {
  const written = redirects.map(([from, to]) => [from.trim(), to.trim()] as const).filter(([from]) => from !== '');
  return written.length === 0 ? '' : JSON.stringify(Object.fromEntries(written), null, 2);
};
