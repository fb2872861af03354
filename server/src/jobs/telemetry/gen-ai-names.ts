import { vendorOf } from '@weir/contract/catalogue/vendors';

/** Names that the OpenTelemetry conventions for generative AI give to vendors, by the name of ours (`ownedBy`). */
const wellKnown: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  'google gemini': 'gcp.gemini',
  vertexai: 'gcp.vertex_ai',
  aws: 'aws.bedrock',
  Cohere: 'cohere',
  mistralai: 'mistral_ai',
  xai: 'x_ai',
};

/** `gen_ai.provider.name` of a channel type. */
export const providerNameOf = (channelType: number): string => {
  const own = vendorOf(channelType)?.ownedBy ?? 'unknown';
  return wellKnown[own] ?? own;
};

/** `gen_ai.operation.name` by what its path has; the last four are no names of the conventions. */
const operations: readonly (readonly [path: RegExp, name: string])[] = [
  [/\/(?:chat\/completions|messages|responses)$|\/realtime$/, 'chat'],
  [/:(?:stream)?generateContent$/i, 'generate_content'],
  [/\/(?:completions|edits)$/, 'text_completion'],
  [/\/embeddings$|:(?:batch)?embedContents?$/i, 'embeddings'],
  [/\/images\//, 'image'],
  [/\/audio\//, 'audio'],
  [/\/moderations$/, 'moderation'],
];

export const operationOf = (path: string): string => operations.find(([form]) => form.test(path))?.[1] ?? 'other';
