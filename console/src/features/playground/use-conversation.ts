import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../lib/api/failure-text.ts';
import { tabMemory } from '../../lib/browser/storage.ts';
import { askModel, findRecord } from './ask-model.ts';
import { isRunning, messagesFor, newAnswer, readTurns, withAnswer, withoutColumn } from './conversation.ts';
import type { Answer, Turn } from './conversation.ts';
import { bodyOf } from './settings.ts';
import type { PlaygroundSettings } from './settings.ts';

const memory = 'playground';

interface Question {
  readonly key: string;
  readonly models: readonly string[];
  readonly settings: PlaygroundSettings;
}

interface AnswerPosition {
  readonly turn: number;
  readonly column: number;
}

/** The turns on screen, stored for this tab; an answer is updated in its column while it arrives. */
const useTurns = () => {
  const [turns, setTurns] = useState(() => readTurns(tabMemory.read(memory)));
  const running = isRunning(turns);
  useEffect(() => {
    if (!running) tabMemory.write(memory, turns);
  }, [turns, running]);
  const change = (target: AnswerPosition, how: (answer: Answer) => Answer): void =>
    setTurns((before) => withAnswer(before, target, how));
  return { turns, setTurns, running, change };
};

/** Sends a prompt to one model and writes the answer into its column. */
const answerInto = async (
  { key, settings, model, history, prompt, column, signal }: Prompt,
  write: (how: (answer: Answer) => Answer) => void,
): Promise<void> => {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  let requestId = '';
  try {
    const messages = messagesFor(history, column, { system: settings.system, prompt });
    await askModel({
      key,
      body: bodyOf(settings, model, messages),
      signal,
      onRequest: (id) => {
        requestId = id;
      },
      onText: (text) =>
        write((answer) => ({ ...answer, text: answer.text + text, firstMs: answer.firstMs || Math.max(1, elapsed()) })),
    });
    write((answer) => ({ ...answer, state: 'done', totalMs: elapsed() }));
  } catch (error) {
    write((answer) =>
      signal.aborted
        ? { ...answer, state: 'stopped', totalMs: elapsed() }
        : { ...answer, state: 'failed', totalMs: elapsed(), problem: failureText(error) },
    );
  }
  const record = await findRecord(requestId).catch(() => null);
  write((answer) => ({ ...answer, record }));
};

interface Prompt extends Pick<Question, 'key' | 'settings'> {
  readonly model: string;
  readonly history: readonly Turn[];
  readonly prompt: string;
  readonly column: number;
  readonly signal: AbortSignal;
}

/** A conversation with several models at once: each has a separate history. */
export const useConversation = ({ key, models, settings }: Question) => {
  const { turns, setTurns, running, change } = useTurns();
  const stopper = useRef(new AbortController());
  useEffect(() => () => stopper.current.abort(), []);

  const ask = (target: AnswerPosition, history: readonly Turn[], prompt: string): void => {
    const model = models[target.column] ?? '';
    const question = { key, settings, model, history, prompt, column: target.column, signal: stopper.current.signal };
    void answerInto(question, (how) => change(target, how));
  };
  const send = (prompt: string): void => {
    stopper.current = new AbortController();
    const turn = (turns.at(-1)?.id ?? 0) + 1;
    setTurns([...turns, { id: turn, prompt, answers: models.map(newAnswer) }]);
    for (const column of models.keys()) ask({ turn, column }, turns, prompt);
  };
  /** Sends the last prompt of a column again. */
  const again = (column: number): void => {
    const last = turns.at(-1);
    if (last === undefined) return;
    stopper.current = new AbortController();
    const target = { turn: last.id, column };
    change(target, () => newAnswer(models[column] ?? ''));
    ask(target, turns.slice(0, -1), last.prompt);
  };
  /** Removes the last turn, to edit its prompt. */
  const takeBack = (): string => {
    setTurns(turns.slice(0, -1));
    return turns.at(-1)?.prompt ?? '';
  };
  return {
    turns,
    running,
    send,
    again,
    takeBack,
    stop: () => stopper.current.abort(),
    clear: () => setTurns([]),
    dropColumn: (column: number) => setTurns(withoutColumn(turns, column)),
  };
};
export type Conversation = ReturnType<typeof useConversation>;
