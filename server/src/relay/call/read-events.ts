import { parsedBytes } from '../../dialects/scan/json-weight.ts';
import { largeMin, largeWork } from '../memory/large-work.ts';
import type { WireEvent } from '../upstream/events/wire-event.ts';
import type { OpenStream, ReadEvent } from './attempt-result.ts';

type Reading = Pick<OpenStream, 'splitter' | 'translator'>;

const lf = 0x0a;

export const translate = ({ translator }: Reading, events: readonly WireEvent[]): readonly ReadEvent[] =>
  events.map((event) => ({ event, step: translator.event(event.data, event.bytes) }));

const isTooHeavy = ({ bytes }: WireEvent): boolean => parsedBytes(bytes) === null;

/** Splitting, translating and what follows are a piece of work each. */
const readLarge = async (stream: Reading, chunk: Buffer, bytes: number): Promise<readonly ReadEvent[] | null> => {
  await largeWork.turn(bytes);
  const events = stream.splitter.push(chunk);
  if (events === null || events.some(isTooHeavy)) return null;
  await largeWork.turn(bytes);
  const read = translate(stream, events);
  await largeWork.turn(bytes);
  return read;
};

/** The events that a chunk completes. Null: one is larger than allowed. */
export const readEvents = (
  stream: Reading,
  chunk: Buffer,
): readonly ReadEvent[] | null | Promise<readonly ReadEvent[] | null> => {
  const bytes = stream.splitter.kept() + chunk.length;
  // Most of the chunks of a large event end nothing.
  if (bytes >= largeMin && chunk.includes(lf)) return readLarge(stream, chunk, bytes);
  const events = stream.splitter.push(chunk);
  return events === null || events.some(isTooHeavy) ? null : translate(stream, events);
};
