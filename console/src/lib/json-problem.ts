/** Where a JSON text breaks; lines and columns from 1. */
export interface JsonProblem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

const placeAt = (text: string, position: number): Pick<JsonProblem, 'line' | 'column'> => {
  const before = text.slice(0, position).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};

/** What is wrong with a JSON text; undefined when it parses. Engines name the place in different words, or not at all. */
export const jsonProblem = (text: string): JsonProblem | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
    if (line !== undefined && column !== undefined) return { message, line: Number(line), column: Number(column) };
    const position = /position (\d+)/.exec(message)?.[1];
    if (position !== undefined) return { message, ...placeAt(text, Number(position)) };
    return /end of (?:JSON input|data)/.test(message) ? { message, ...placeAt(text, text.length) } : { message };
  }
};
