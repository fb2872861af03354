import { namedMembers } from './json-scan.ts';

const comma = Buffer.from(',');

/** A valid object with these members in place of its own; null leaves one out. All others keep their bytes. */
export const withMembers = (bytes: Buffer, changes: Readonly<Record<string, string | null>>): Buffer => {
  const set = Object.entries(changes).flatMap(([name, text]) =>
    text === null ? [] : [Buffer.from(`${JSON.stringify(name)}:${text}`)],
  );
  const kept = namedMembers(bytes)
    .filter(({ name }) => !Object.hasOwn(changes, name))
    .map(({ start, end }) => bytes.subarray(start, end));
  const pieces = [...set, ...kept].flatMap((member, index) => (index === 0 ? [member] : [comma, member]));
  return Buffer.concat([Buffer.from('{'), ...pieces, Buffer.from('}')]);
};
