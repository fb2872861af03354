/** Names of models that answer no chat: embeddings, speech, pictures and the like. */
const notForChat =
  /embed|whisper|tts|dall-e|image|flux|stable-diffusion|moderation|rerank|audio|realtime|transcri|video/i;

/** A model for a first chat, of those that are served; undefined: none is served. */
export const firstModel = (served: readonly string[]): string | undefined =>
  served.find((name) => !notForChat.test(name)) ?? served[0];
