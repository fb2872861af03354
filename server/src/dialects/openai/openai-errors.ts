import type { ClientError, ErrorForm } from '../dialect.ts';

/** The message with the id by which the call is found again (wire contract 3.3). */
export const withRequestId = (message: string, requestId: string): string => `${message} (request id: ${requestId})`;

const body = ({ message, type, param, code, short }: ClientError, requestId: string): string => {
  const error = { message: withRequestId(message, requestId), type };
  return JSON.stringify({ error: short ? error : { ...error, param: param ?? '', code } });
};

/** OpenAI's error object, in an answer and in a stream. */
export const openAiErrors: ErrorForm = {
  body,
  event: (error, requestId) => Buffer.from(`data: ${body({ ...error, short: false }, requestId)}\n\n`),
};
