import type { ChatBody } from './ask-model.ts';
import type { ChatMessage } from './conversation.ts';

/** What goes with every question, as it is being filled in. */
export interface PlaygroundSettings {
  /** Id of the key; 0: the first that works. */
  readonly keyId: number;
  readonly system: string;
  /** As typed; empty: the model's own. */
  readonly temperature: string;
  readonly maxTokens: string;
  readonly stream: boolean;
}

export const usualSettings: PlaygroundSettings = { keyId: 0, system: '', temperature: '', maxTokens: '', stream: true };

const numberIn = (text: string, min: number, max: number): number | undefined => {
  const value = Number(text.trim());
  return text.trim() !== '' && value >= min && value <= max ? value : undefined;
};

/** The body of a request; what is left empty or makes no sense is left out. */
export const bodyOf = (
  { temperature, maxTokens, stream }: PlaygroundSettings,
  model: string,
  messages: readonly ChatMessage[],
): ChatBody => {
  const heat = numberIn(temperature, 0, 2);
  const most = numberIn(maxTokens, 1, 1_000_000);
  return {
    model,
    messages,
    stream,
    ...(heat !== undefined && { temperature: heat }),
    ...(most !== undefined && { max_tokens: Math.trunc(most) }),
  };
};
