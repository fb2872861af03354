import { Worker } from 'node:worker_threads';
import { approximateTokens } from './rough-tokens.ts';
import { encodedMax, encodingOf } from './token-count.ts';
import type { CountAnswer, CountQuestion } from './token-counter-thread.ts';

/** Counts tokens that no upstream reported, in a separate thread. Never rejects: it estimates instead. */
export interface TokenCounter {
  /** Tokens of output text. */
  text(model: string, text: string): Promise<number>;
  /** Prompt tokens of a chat completion body. */
  chat(model: string, body: Buffer): Promise<number>;
  close(): Promise<void>;
}

export interface TokenCounterOptions {
  /** The option ApproximateTokenEnabled: estimate by length instead of counting. */
  approximate(): boolean;
  /** After this many milliseconds without an answer a count is estimated. */
  readonly timeoutMs?: number;
}

/**
 * A thread that starts on a busy machine takes its time, and a count is worth waiting for: the estimate may be twice as
 * much.
 */
const patienceMs = 30_000;

/** Memory for the short-lived objects of the thread; its vocabulary is in another heap. */
const youngMb = 8;

interface Waiting {
  resolve(tokens: number): void;
  readonly estimate: number;
  readonly timer: NodeJS.Timeout;
}

/** Starts its thread with the first question; an idle counter costs nothing. */
export const createTokenCounter = ({ approximate, timeoutMs = patienceMs }: TokenCounterOptions): TokenCounter => {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let nextId = 1;
  /** Questions of this tick of the event loop: one message per question would cost more than its count. */
  let pending: CountQuestion[] = [];

  const flush = () => {
    const questions = pending;
    pending = [];
    worker?.postMessage(questions);
  };
  const finish = (id: number, tokens?: number) => {
    const question = waiting.get(id);
    if (question === undefined) return;
    waiting.delete(id);
    clearTimeout(question.timer);
    question.resolve(tokens ?? question.estimate);
    if (waiting.size === 0) worker?.unref();
  };
  const start = (): Worker => {
    const file = new URL('./token-counter-thread.ts', import.meta.url);
    const started = new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: youngMb } });
    started.on('message', (answers: readonly CountAnswer[]) => {
      for (const { id, tokens } of answers) finish(id, tokens);
    });
    started.on('error', () => {
      if (worker === started) worker = undefined;
      for (const id of waiting.keys()) finish(id);
    });
    return started;
  };
  const ask = (question: Omit<CountQuestion, 'id'>): Promise<number> => {
    const estimate = approximateTokens(Buffer.byteLength(question.text));
    if (approximate()) return Promise.resolve(estimate);
    const id = nextId++;
    worker ??= start();
    worker.ref();
    return new Promise((resolve) => {
      const timer = setTimeout(() => finish(id), timeoutMs);
      waiting.set(id, { resolve, estimate, timer });
      if (pending.length === 0) setImmediate(flush);
      pending.push({ id, ...question });
    });
  };

  /** The beginning is encoded, and the rest estimated: it need not be copied to the thread. */
  const countText = async (model: string, text: string): Promise<number> => {
    const rest = text.length > encodedMax ? approximateTokens(Buffer.byteLength(text.slice(encodedMax))) : 0;
    return rest + (await ask({ encoding: encodingOf(model), kind: 'text', model, text: text.slice(0, encodedMax) }));
  };
  return {
    text: (model, text) => (text === '' ? Promise.resolve(0) : countText(model, text)),
    chat: (model, body) => ask({ encoding: encodingOf(model), kind: 'chat', model, text: body.toString() }),
    close: async () => {
      for (const id of waiting.keys()) finish(id);
      await worker?.terminate();
      worker = undefined;
    },
  };
};
