import { vendors } from '@weir/contract/catalogue/vendors';

/**
 * The vendors whose lists count for a channel, where they are not the one vendor that the catalogue names alike. Not
 * Tencent's: its list is that of another service than Hunyuan's.
 */
const others = new Map<number, readonly string[]>([
  // What Azure does not list itself costs as at OpenAI.
  [vendors.azure.id, ['azure', 'openai']],
  [vendors.geminiCompatible.id, ['gemini']],
  [vendors.bailian.id, ['alibaba']],
]);
const alone = [
  'openai',
  'anthropic',
  'gemini',
  'vertex',
  'bedrock',
  'mistral',
  'deepseek',
  'xai',
  'alibaba',
  'volcengine',
  'zhipu',
  'moonshot',
  'minimax',
  'groq',
  'together',
  'cloudflare',
  'replicate',
  'cohere',
] as const;
const byType = new Map([...alone.map((name) => [vendors[name].id, [name]] as const), ...others]);

/** Names in the price book of the vendors that a channel of this type pays, the first to be looked in first; none for relays. */
export const vendorsOfChannelType = (type: number): readonly string[] => byType.get(type) ?? [];
