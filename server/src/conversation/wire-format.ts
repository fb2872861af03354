/** The forms in which clients ask and upstreams are asked. */
export type WireFormat =
  | 'openai-chat'
  | 'openai-completions'
  | 'openai-responses'
  | 'openai-embeddings'
  | 'openai-moderations'
  | 'openai-images'
  | 'openai-speech'
  | 'rerank'
  | 'anthropic-messages'
  | 'anthropic-count'
  | 'gemini'
  | 'gemini-list'
  | 'gemini-count'
  | 'gemini-embed'
  | 'gemini-batch-embed';
