import type { AssistantPart, Turn } from './conversation.ts';

/** The texts of the parts that have one, put together; `between` separates them. */
export const joinTexts = (parts: readonly { readonly kind: string; readonly text?: string }[], between = ''): string =>
  parts
    .map((part) => (part.kind === 'text' ? (part.text ?? '') : ''))
    .filter((text) => text !== '')
    .join(between);

/** What an assistant put out of one kind, put together. */
export const textsOf = (parts: readonly AssistantPart[], kind: 'text' | 'reasoning' | 'refusal'): string =>
  parts.map((part) => (part.kind === kind ? part.text : '')).join('');

/** Whether somebody but the model brings anything else than texts. */
export const isMoreThanText = (turn: Turn): boolean =>
  turn.role !== 'assistant' && turn.parts.some(({ kind }) => kind !== 'text');
