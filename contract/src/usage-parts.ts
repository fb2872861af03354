/** Parts of a prompt that may have a price of their own. They are within the prompt, not beside it. */
export const promptParts = ['cache_read', 'cache_write', 'cache_write_1h', 'audio_prompt', 'image_prompt'] as const;

/** Parts of a completion, likewise. */
export const completionParts = ['reasoning', 'audio_completion', 'image_completion'] as const;

/** One of both lists. */
export type UsagePart = (typeof promptParts)[number] | (typeof completionParts)[number];
