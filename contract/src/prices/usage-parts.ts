/** Parts of a prompt that may have a price of their own. They are within the prompt, not beside it. */
export const promptParts = ['cache_read', 'cache_write', 'cache_write_1h', 'audio_prompt', 'image_prompt'] as const;

/** Parts of a completion, likewise. */
export const completionParts = ['reasoning', 'audio_completion', 'image_completion'] as const;

/**
 * Tokens of a second model, which transcribed the audio input of a session, at the prices of that model: two parts of
 * the prompt and one of the completion.
 */
export const transcriptParts = {
  prompt: ['transcript_prompt', 'transcript_audio'],
  completion: ['transcript_completion'],
} as const;

/** A part whose price may be set for a model. */
export type UsagePart = (typeof promptParts)[number] | (typeof completionParts)[number];

/** A part of a charge. */
export type ChargedPart = UsagePart | (typeof transcriptParts)['prompt' | 'completion'][number];
