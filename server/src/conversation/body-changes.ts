/** What may change in a body that stays in its dialect; everything else stays byte for byte. */
export interface BodyChanges {
  /** The model to ask for, when the channel redirects it. */
  readonly model?: string;
  /** Ask for usage at the end of a stream, in dialects where that must be asked for. */
  readonly includeUsage?: true;
  /** The system message of the conversation: replaces the client's, or goes in front. */
  readonly systemPrompt?: string;
  /** At most this many output tokens per choice; `member` names it where the dialect has two names for it. */
  readonly outputLimit?: { readonly tokens: number; readonly member: 'max_tokens' | 'max_completion_tokens' };
}
