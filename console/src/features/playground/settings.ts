import type { ChatBody } from './ask-model.ts';
import type { ChatMessage } from './conversation.ts';

/** The settings of every request, as being filled in. */
export interface PlaygroundSettings {
  /** Id of the token; 0: the first usable one. */
  readonly keyId: number;
  readonly system: string;
  /** As typed; empty: the model's default. */
  readonly temperature: string;
  readonly maxTokens: string;
  readonly stream: boolean;
}

export const usualSettings: PlaygroundSettings = { keyId: 0, system: '', temperature: '', maxTokens: '', stream: true };

const numberIn = (text: string, min: number, max: number): number | undefined => {
  const value = Number(text.trim());
  return text.trim() !== '' && value >= min && value <= max ? value : undefined;
};

/** The body of a request; empty or invalid settings are omitted. */
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
