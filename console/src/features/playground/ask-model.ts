import { searchOwnLogs } from '@weir/contract/logs';
import { call, serverAddress } from '../../lib/api/call.ts';
import type { AnswerRecord, ChatMessage } from './conversation.ts';
import { problemOf, readEvents, textOf } from './server-events.ts';

/** The body of a chat completion. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly temperature?: number;
  readonly max_tokens?: number;
}

interface ModelRequest {
  /** With `sk-` in front. Used only for the request. */
  readonly key: string;
  readonly body: ChatBody;
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  /** The id under which the gateway logs the request. */
  readonly onRequest: (id: string) => void;
}

const readJson = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
};

const readStream = async (stream: ReadableStream<Uint8Array>, onText: (text: string) => void): Promise<void> => {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let arrived = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const { deltas, rest } = readEvents(arrived + decoder.decode(value, { stream: true }));
    arrived = rest;
    for (const { text, problem } of deltas) {
      if (problem !== '') throw new Error(problem);
      if (text !== '') onText(text);
    }
  }
};

/** Sends a prompt like a client with this key; throws the gateway's message if it refuses. */
export const askModel = async ({ key, body, signal, onText, onRequest }: ModelRequest): Promise<void> => {
  const response = await fetch(`${serverAddress}/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  onRequest(response.headers.get('x-oneapi-request-id') ?? '');
  if (!response.ok) throw new Error(problemOf(await readJson(response)) || `HTTP ${response.status}`);
  if (body.stream && response.body !== null) return readStream(response.body, onText);
  const whole = await readJson(response);
  const problem = problemOf(whole);
  if (problem !== '') throw new Error(problem);
  onText(textOf(whole));
};

const triesMax = 5;
const pauseMs = 400;

/** The log's data of a request: its tokens and its price. Null: none, it was not charged. */
export const findRecord = async (requestId: string): Promise<AnswerRecord | null> => {
  for (let turn = 1; requestId !== '' && turn <= triesMax; turn += 1) {
    const [row] = await call(searchOwnLogs, { query: { keyword: requestId } });
    if (row !== undefined && row.request_id === requestId) {
      const { id, created_at: at, prompt_tokens: prompt, completion_tokens: completion, quota } = row;
      return { id, at, prompt, completion, quota };
    }
    // A stopped answer is settled a moment later.
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return null;
};
