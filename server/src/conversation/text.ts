import type { AssistantPart, Turn } from './conversation.ts';

/** The texts of the parts that have one, joined with `between`. */
export const joinTexts = (parts: readonly { readonly kind: string; readonly text?: string }[], between = ''): string =>
  parts
    .map((part) => (part.kind === 'text' ? (part.text ?? '') : ''))
    .filter((text) => text !== '')
    .join(between);

/** The texts of one kind of assistant output, joined. */
export const textsOf = (parts: readonly AssistantPart[], kind: 'text' | 'reasoning' | 'refusal'): string =>
  parts.map((part) => (part.kind === kind ? part.text : '')).join('');

/** Whether a turn that is not the model's has parts that are not text. */
export const isMoreThanText = (turn: Turn): boolean =>
  turn.role !== 'assistant' && turn.parts.some(({ kind }) => kind !== 'text');
