import type { ClientRequest, IncomingMessage } from 'node:http';

/** An answer of `node:http`, read whole. For what `fetch` would not send, or would add to. */
export interface RawReply {
  readonly status: number;
  readonly text: string;
}

/** The answer to a request that was sent, or is being sent. */
export const responseTo = async (call: ClientRequest): Promise<RawReply> => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call.on('response', resolve);
    call.on('error', reject);
  });
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, text };
};
