import { isRecord } from '../../lib/is-record.ts';

/** The data of an event of a streamed chat completion. */
export interface ChatDelta {
  readonly text: string;
  /** The error that ends the stream; empty: none. */
  readonly problem: string;
}

const nothing: ChatDelta = { text: '', problem: '' };

const parse = (data: string): unknown => {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
};

/** The message of an error object of OpenAI's format. */
export const problemOf = (body: unknown): string => {
  const error = isRecord(body) ? body['error'] : undefined;
  if (!isRecord(error)) return '';
  return typeof error['message'] === 'string' ? error['message'] : JSON.stringify(error);
};

/** The text of a choice: the delta of a chunk, the message of a whole answer. */
export const textOf = (body: unknown): string => {
  const choices = isRecord(body) ? body['choices'] : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const said = isRecord(choice) ? (choice['delta'] ?? choice['message']) : undefined;
  return isRecord(said) && typeof said['content'] === 'string' ? said['content'] : '';
};

const readEvent = (event: string): ChatDelta => {
  const data = event
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n');
  if (data === '' || data === '[DONE]') return nothing;
  const body = parse(data);
  return { text: textOf(body), problem: problemOf(body) };
};

/** Splits the received text into events (WHATWG HTML, server-sent events); an incomplete rest stays buffered. */
export const readEvents = (arrived: string): { readonly deltas: readonly ChatDelta[]; readonly rest: string } => {
  const parts = arrived.split(/\r\n\r\n|\n\n|\r\r/);
  const rest = parts.pop() ?? '';
  return { deltas: parts.map(readEvent), rest };
};
