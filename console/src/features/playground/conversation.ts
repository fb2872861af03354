import { isRecord } from '../../lib/is-record.ts';

/** The log's data of a settled answer. */
export interface AnswerRecord {
  readonly id: number;
  /** Unix seconds. */
  readonly at: number;
  readonly prompt: number;
  readonly completion: number;
  /** Quota units charged. */
  readonly quota: number;
}

export interface Answer {
  readonly model: string;
  readonly text: string;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  /** The gateway's error message. */
  readonly problem: string;
  /** Milliseconds until its first text and until its end; 0: not yet. */
  readonly firstMs: number;
  readonly totalMs: number;
  readonly record: AnswerRecord | null;
}

/** A prompt and the answer of each model, in the order of the models. */
export interface Turn {
  readonly id: number;
  readonly prompt: string;
  readonly answers: readonly Answer[];
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export const newAnswer = (model: string): Answer => ({
  model,
  text: '',
  state: 'running',
  problem: '',
  firstMs: 0,
  totalMs: 0,
  record: null,
});

export const isRunning = (turns: readonly Turn[]): boolean =>
  turns.some(({ answers }) => answers.some(({ state }) => state === 'running'));

/** The messages for the model of a column: its conversation so far, then the new prompt. */
export const messagesFor = (
  turns: readonly Turn[],
  column: number,
  { system, prompt }: { readonly system: string; readonly prompt: string },
): ChatMessage[] => [
  ...(system.trim() === '' ? [] : [{ role: 'system', content: system } as const]),
  ...turns.flatMap((turn): ChatMessage[] => {
    const answer = turn.answers[column];
    if (answer === undefined || answer.text === '' || answer.state === 'failed') return [];
    return [
      { role: 'user', content: turn.prompt },
      { role: 'assistant', content: answer.text },
    ];
  }),
  { role: 'user', content: prompt },
];

/** The turns after one answer changed. */
export const withAnswer = (
  turns: readonly Turn[],
  { turn, column }: { readonly turn: number; readonly column: number },
  change: (answer: Answer) => Answer,
): readonly Turn[] =>
  turns.map((each) =>
    each.id === turn
      ? { ...each, answers: each.answers.map((answer, index) => (index === column ? change(answer) : answer)) }
      : each,
  );

/** The turns after the model of a column was removed. */
export const withoutColumn = (turns: readonly Turn[], column: number): readonly Turn[] =>
  turns.map((turn) => ({ ...turn, answers: turn.answers.filter((_, index) => index !== column) }));

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

const readRecord = (raw: unknown): AnswerRecord | null =>
  isRecord(raw)
    ? {
        id: count(raw['id']),
        at: count(raw['at']),
        prompt: count(raw['prompt']),
        completion: count(raw['completion']),
        quota: count(raw['quota']),
      }
    : null;

const readAnswer = (raw: Record<string, unknown>): Answer => ({
  model: text(raw['model']),
  text: text(raw['text']),
  // No request survives a page load.
  state: raw['state'] === 'done' || raw['state'] === 'failed' ? raw['state'] : 'stopped',
  problem: text(raw['problem']),
  firstMs: count(raw['firstMs']),
  totalMs: count(raw['totalMs']),
  record: readRecord(raw['record']),
});

/** Reads turns that this tab stored. */
export const readTurns = (raw: unknown): readonly Turn[] =>
  (Array.isArray(raw) ? raw : []).filter(isRecord).map((turn, index) => ({
    id: index + 1,
    prompt: text(turn['prompt']),
    answers: (Array.isArray(turn['answers']) ? turn['answers'] : []).filter(isRecord).map(readAnswer),
  }));
