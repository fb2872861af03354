/** The names that a channel sends models by, where they are not the clients'. `text`: JSON object text, or empty. */
export const readModelMapping = (text: string): ReadonlyMap<string, string> => {
  try {
    const names: unknown = JSON.parse(text);
    const entries = typeof names === 'object' && names !== null ? Object.entries(names) : [];
    return new Map(entries.map(([name, sent]) => [name, String(sent)]));
  } catch {
    return new Map();
  }
};
