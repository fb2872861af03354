/** The names of a list, each once: one on a line, or separated by commas or semicolons. */
export const namesIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\n,;，；、]/u)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];
