import { expect, test } from 'vitest';
import { plainConversation } from '../../test/provider-suite/conversation.ts';
import { withFormatWords } from './format-words.ts';

test('RELAY-03 an answer format that a vendor has no member for is requested in the prompt', () => {
  const schema = { kind: 'schema', name: 'reply', description: '', schema: { type: 'object' }, strict: true } as const;
  const system = [{ kind: 'text', text: 'Be brief.' }] as const;
  const promptFor = (answerFormat: typeof schema | { readonly kind: 'json' } | { readonly kind: 'text' }) =>
    withFormatWords({ ...plainConversation, system, answerFormat }).system.map(({ text }) => text);
  expect(promptFor(schema)).toEqual([
    'Be brief.',
    'Answer with one JSON object and nothing else. It must follow this JSON Schema: {"type":"object"}',
  ]);
  expect(promptFor({ kind: 'json' })).toEqual(['Be brief.', 'Answer with one JSON object and nothing else.']);
  expect(promptFor({ kind: 'text' })).toEqual(['Be brief.']);
});
