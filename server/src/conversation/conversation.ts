import type { Json } from './json.ts';

/**
 * A request for the next turn of a conversation, in neutral form: dialects read requests into it, and providers of
 * another dialect write their requests from it.
 */
export interface Conversation {
  /** System messages before all turns. */
  readonly system: readonly TextPart[];
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  /** Null: not set. */
  readonly toolChoice: ToolChoice | null;
  /** Whether several tools may be called at once; null: not set. */
  readonly parallelTools: boolean | null;
  /** Output tokens, reasoning included; null: no limit. */
  readonly outputLimit: number | null;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly topK: number | null;
  readonly seed: number | null;
  readonly presencePenalty: number | null;
  readonly frequencyPenalty: number | null;
  /** Texts that end the answer. */
  readonly stop: readonly string[];
  readonly answerFormat: AnswerFormat;
  /** Null: not set. */
  readonly reasoning: Reasoning | null;
  /** The end user's id that the client passes to the vendor. */
  readonly user: string | null;
  /** The body as the client wrote it, for members that only some vendors know. */
  readonly members: Json;
}

export type Turn = UserTurn | AssistantTurn | ToolTurn | SystemTurn;

export interface UserTurn {
  readonly role: 'user';
  readonly parts: readonly UserPart[];
}

export interface AssistantTurn {
  readonly role: 'assistant';
  readonly parts: readonly AssistantPart[];
}

/** The result of one call of a tool. */
export interface ToolTurn {
  readonly role: 'tool';
  readonly callId: string;
  /** Of the tool; empty: the dialect does not repeat it, and no earlier call has this id. */
  readonly name: string;
  readonly parts: readonly (TextPart | ImagePart | FilePart)[];
  readonly isError: boolean;
}

/** A system message between other turns. */
export interface SystemTurn {
  readonly role: 'system';
  readonly parts: readonly TextPart[];
}

export type UserPart = TextPart | ImagePart | AudioPart | FilePart;
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart | RefusalPart | ImagePart;

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  /** A mark of the vendor's prompt cache (`cache_control`), as written. */
  readonly cache?: Json;
}

/** Content by address or by value. */
export type Source =
  | { readonly kind: 'url'; readonly url: string }
  /** `mime` is the media type, `base64` the content. */
  | { readonly kind: 'data'; readonly mime: string; readonly base64: string };

export interface ImagePart {
  readonly kind: 'image';
  readonly source: Source;
  /** `low`, `high` or `auto`; null: not set. */
  readonly detail: string | null;
  readonly cache?: Json;
}

export interface AudioPart {
  readonly kind: 'audio';
  /** `wav` or `mp3`. */
  readonly format: string;
  readonly base64: string;
}

export interface FilePart {
  readonly kind: 'file';
  /** Empty: it has none. */
  readonly name: string;
  readonly source: Source | { readonly kind: 'text'; readonly text: string };
  readonly cache?: Json;
}

export interface ReasoningPart {
  readonly kind: 'reasoning';
  /** Empty where the vendor does not return it. */
  readonly text: string;
  /** Opaque state that must be returned with the next turn; empty: none. */
  readonly signature: string;
  /** The vendor encrypted the text: `signature` replaces it. */
  readonly redacted?: true;
}

export interface ToolCallPart {
  readonly kind: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
  /** Opaque state that must be returned with the call. */
  readonly signature?: string;
}

export interface RefusalPart {
  readonly kind: 'refusal';
  readonly text: string;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema; null: the tool takes no arguments. */
  readonly parameters: Json | null;
  readonly strict: boolean | null;
  readonly cache?: Json;
}

export type ToolChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'none' }
  | { readonly kind: 'required' }
  | { readonly kind: 'tool'; readonly name: string };

/** Whether the answer must be a call of a tool. */
export const forcesTool = (choice: ToolChoice | null): boolean =>
  choice?.kind === 'required' || choice?.kind === 'tool';

export type AnswerFormat =
  | { readonly kind: 'text' }
  /** Any JSON object. */
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema';
      readonly name: string;
      readonly description: string;
      readonly schema: Json;
      readonly strict: boolean | null;
    };

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface Reasoning {
  /** Null: the vendor's default. */
  readonly effort: Effort | null;
  /** Tokens; null: not set. */
  readonly budget: number | null;
  /** The client requested the text of the reasoning. */
  readonly visible: boolean;
}
