/** What may change in a body that stays in its dialect; everything else stays byte for byte. */
export interface BodyChanges {
  /** The model to request, when the channel redirects it. */
  readonly model?: string;
  /** Requests usage at the end of a stream, in dialects that send it only on request. */
  readonly includeUsage?: true;
  /** The system message: replaces the one of the client, or becomes the first message. */
  readonly systemPrompt?: string;
  /** At most this many output tokens per choice; `member` names it where the dialect has two names for it. */
  readonly outputLimit?: { readonly tokens: number; readonly member: 'max_tokens' | 'max_completion_tokens' };
  /** JSON texts of outermost members to set, by name; null leaves one out. Only in Anthropic's format, for clouds that differ. */
  readonly members?: Readonly<Record<string, string | null>>;
}
