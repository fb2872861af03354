import type { AnswerFormat, Conversation, SystemTurn, ToolChoice, Turn } from '../conversation/conversation.ts';
import { withFormatWords } from '../conversation/format-words.ts';

/** An inclusive range; null: the vendor rejects or ignores the member. */
type Range = readonly [least: number, most: number] | null;

/**
 * What a vendor accepts in a conversation. Anything beyond is adapted: sampling parameters move to the nearest accepted
 * value or are left out; what the answer depends on becomes an instruction in the prompt. Absent: no bound.
 */
export interface ChatBounds {
  readonly temperature?: Range;
  readonly topP?: Range;
  readonly seed?: null;
  readonly penalties?: null;
  readonly user?: null;
  readonly parallelTools?: null;
  /** The maximum number of stop sequences. */
  readonly stopMax?: number;
  /** The accepted tool choices besides `auto`. */
  readonly toolChoices?: readonly ToolChoice['kind'][];
  /** The most specific answer format that is accepted. */
  readonly format?: Exclude<AnswerFormat['kind'], 'schema'>;
  /** System messages must come before all others. */
  readonly systemFirst?: true;
  /** The first and the last message must not be the assistant's. */
  readonly modelAnswers?: true;
}

export const inRange = (value: number | null, range: Range | undefined): number | null => {
  if (value === null || range === undefined) return value;
  return range === null ? null : Math.min(range[1], Math.max(range[0], value));
};

export const choiceText = (choice: ToolChoice): string =>
  choice.kind === 'tool'
    ? `Call the tool ${choice.name} before you answer.`
    : 'Call at least one of the tools before you answer.';

const withTools = (conversation: Conversation, { toolChoices }: ChatBounds): Conversation => {
  const { toolChoice, tools, system } = conversation;
  if (toolChoices === undefined || toolChoice === null || tools.length === 0) return conversation;
  if (toolChoice.kind === 'auto' || toolChoices.includes(toolChoice.kind)) return conversation;
  if (toolChoice.kind === 'none') return { ...conversation, tools: [], toolChoice: null };
  return { ...conversation, toolChoice: null, system: [...system, { kind: 'text', text: choiceText(toolChoice) }] };
};

const withFormat = (conversation: Conversation, { format }: ChatBounds): Conversation => {
  const { kind } = conversation.answerFormat;
  if (format === undefined || kind === 'text' || kind === format) return conversation;
  return { ...withFormatWords(conversation), answerFormat: { kind: format } };
};

const isSystem = (turn: Turn): turn is SystemTurn => turn.role === 'system';

const withSystem = (conversation: Conversation, { systemFirst }: ChatBounds): Conversation => {
  const { system, turns } = conversation;
  if (systemFirst === undefined || !turns.some(isSystem)) return conversation;
  const later = turns.filter(isSystem).flatMap(({ parts }) => parts);
  return { ...conversation, system: [...system, ...later], turns: turns.filter((turn) => !isSystem(turn)) };
};

const userTurn = (text: string): Turn => ({ role: 'user', parts: [{ kind: 'text', text }] });

const withUser = (conversation: Conversation, { modelAnswers }: ChatBounds): Conversation => {
  const { turns } = conversation;
  if (modelAnswers === undefined || turns.length === 0) return conversation;
  const before = turns[0]?.role === 'assistant' ? [userTurn('Hi')] : [];
  const behind = turns.at(-1)?.role === 'assistant' ? [userTurn('Continue.')] : [];
  return { ...conversation, turns: [...before, ...turns, ...behind] };
};

/** The conversation within the vendor's bounds. */
export const bounded = (whole: Conversation, bounds: ChatBounds): Conversation => {
  const conversation = [withTools, withFormat, withSystem, withUser].reduce((one, adapt) => adapt(one, bounds), whole);
  const { seed, penalties, user, parallelTools, stopMax = Infinity } = bounds;
  return {
    ...conversation,
    temperature: inRange(conversation.temperature, bounds.temperature),
    topP: inRange(conversation.topP, bounds.topP),
    stop: conversation.stop.slice(0, stopMax),
    ...(seed === null && { seed }),
    ...(penalties === null && { presencePenalty: null, frequencyPenalty: null }),
    ...(user === null && { user }),
    ...(parallelTools === null && { parallelTools }),
  };
};
