import * as v from 'valibot';

/** The JSON value of an answer, if it has the expected shape; undefined: it has not, or it is no JSON. */
export const readJson = <const Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
): v.InferOutput<Schema> | undefined => {
  try {
    const result = v.safeParse(schema, JSON.parse(text));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
};
