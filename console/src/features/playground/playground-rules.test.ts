import { expect, test } from 'vitest';
import { isRunning, messagesFor, newAnswer, readTurns, withAnswer, withoutColumn } from './conversation.ts';
import type { Turn } from './conversation.ts';
import { readEvents } from './server-events.ts';
import { bodyOf, usualSettings } from './settings.ts';

const answered = (text: string, state: 'done' | 'failed' = 'done') => ({ ...newAnswer('m'), text, state });
const turns: readonly Turn[] = [
  { id: 1, prompt: 'one', answers: [answered('a1'), answered('b1')] },
  { id: 2, prompt: 'two', answers: [answered('a2'), answered('', 'failed')] },
];

test('each model gets its own prompts and answers only', () => {
  expect(messagesFor(turns, 1, { system: 'Be brief.', prompt: 'three' })).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'b1' },
    { role: 'user', content: 'three' },
  ]);
  expect(messagesFor(turns, 0, { system: ' ', prompt: 'three' }).map(({ content }) => content)).toEqual([
    'one',
    'a1',
    'two',
    'a2',
    'three',
  ]);
});

test('an answer is replaced by its column, and removing a column removes it from every turn', () => {
  const changed = withAnswer(turns, { turn: 2, column: 1 }, (answer) => ({ ...answer, state: 'running' }));
  expect(isRunning(turns)).toBe(false);
  expect(isRunning(changed)).toBe(true);
  expect(changed[0]).toBe(turns[0]);
  expect(withoutColumn(turns, 0).map(({ answers }) => answers.map(({ text }) => text))).toEqual([['b1'], ['']]);
});

test('stored turns are read again, and invalid stored values are ignored', () => {
  expect(readTurns(structuredClone(turns))).toEqual(turns);
  expect(readTurns([{ prompt: 'p', answers: [{ model: 'm', state: 'running', record: 7 }] }, 4])).toEqual([
    { id: 1, prompt: 'p', answers: [{ ...newAnswer('m'), state: 'stopped' }] },
  ]);
  expect(readTurns('none')).toEqual([]);
});

test('events are parsed across chunk borders, including errors between them', () => {
  const stream =
    'data: {"choices":[{"delta":{"content":"Hé"}}]}\n\n: still there\n\ndata:{"choices":[{"delta":{"role":"assistant"}}]}\r\n\r\n' +
    'data: {"choices":[{"delta":{"content":"llo"}}]}\n\ndata: {"error":{"message":"overloaded"}}\n\ndata: [DONE]\n\n';
  for (let size = 1; size < 40; size += 7) {
    let rest = '';
    let text = '';
    let problem = '';
    for (let at = 0; at < stream.length; at += size) {
      const read = readEvents(rest + stream.slice(at, at + size));
      ({ rest } = read);
      for (const delta of read.deltas) {
        text += delta.text;
        problem += delta.problem;
      }
    }
    expect([text, problem, rest]).toEqual(['Héllo', 'overloaded', '']);
  }
});

test('empty or invalid settings are not sent', () => {
  const messages = [{ role: 'user', content: 'hi' }] as const;
  expect(bodyOf(usualSettings, 'm', messages)).toEqual({ model: 'm', messages, stream: true });
  const set = { ...usualSettings, temperature: '0.2', maxTokens: '64.9', stream: false };
  expect(bodyOf(set, 'm', messages)).toEqual({ model: 'm', messages, stream: false, temperature: 0.2, max_tokens: 64 });
  expect(bodyOf({ ...set, temperature: '9', maxTokens: 'many' }, 'm', messages)).not.toHaveProperty('temperature');
});
