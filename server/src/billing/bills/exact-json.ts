/** Reads JSON with every number as the text it is written as, so that none is rounded. Throws as `JSON.parse` does. */
export const readExactJson = (text: string): unknown => {
  const revive = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  return JSON.parse(text, revive);
};
