import type { ClientError, ErrorForm } from '../dialect.ts';
import { withRequestId } from '../openai/openai-errors.ts';

/** Google's name for each status (provider notes 16). */
const names = new Map<number, string>([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);

const nameOf = (status: number): string => names.get(status) ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');

const body = ({ status, message }: ClientError, requestId: string): string =>
  JSON.stringify({ error: { code: status, message: withRequestId(message, requestId), status: nameOf(status) } });

/** Google's error object, in an answer and in a stream of events. */
export const geminiErrors: ErrorForm = {
  body,
  event: (error, requestId) => Buffer.from(`data: ${body(error, requestId)}\r\n\r\n`),
};

/** The same in a stream that is one list. */
export const geminiListErrors: ErrorForm = {
  body: (error, requestId) => `[${body(error, requestId)}]`,
  event: (error, requestId) => Buffer.from(`,\r\n${body(error, requestId)}`),
};
