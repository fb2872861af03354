import { type Json, objectsAt } from '../../conversation/json.ts';
import { countOf, type Usage } from '../../conversation/usage.ts';

const ofModality = (usage: Json, member: string, modality: string): unknown =>
  objectsAt(usage, member).find((part) => part['modality'] === modality)?.['tokenCount'];

/** The sum of the reported values; undefined if there are none. */
const sum = (a: unknown, b: unknown): unknown => (b === undefined ? a : a === undefined ? b : countOf(a) + countOf(b));

/** Gemini names the tier, Vertex the kind of traffic. */
const tierOf = (usage: Json): unknown => usage['serviceTier'] ?? usage['trafficType'];

/** `usageMetadata` in OpenAI's terms: the output is thoughts plus candidates, as the candidates' count excludes thoughts. */
export const geminiUsage = (usage: Json): Usage => ({
  prompt: sum(usage['promptTokenCount'], usage['toolUsePromptTokenCount']),
  completion: sum(usage['candidatesTokenCount'], usage['thoughtsTokenCount']),
  total: usage['totalTokenCount'],
  parts: {
    cacheRead: usage['cachedContentTokenCount'],
    reasoning: usage['thoughtsTokenCount'],
    audioPrompt: ofModality(usage, 'promptTokensDetails', 'AUDIO'),
    imagePrompt: ofModality(usage, 'promptTokensDetails', 'IMAGE'),
    audioCompletion: ofModality(usage, 'candidatesTokensDetails', 'AUDIO'),
    imageCompletion: ofModality(usage, 'candidatesTokensDetails', 'IMAGE'),
  },
  ...(tierOf(usage) !== undefined && { serviceTier: tierOf(usage) }),
});
