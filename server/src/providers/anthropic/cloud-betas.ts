/** Names that clients use, and the clouds' own. */
const renamed = new Map([['advanced-tool-use-2025-11-20', 'tool-search-tool-2025-10-19']]);

const ofBoth = [
  'compact-2026-01-12',
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'interleaved-thinking-2025-05-14',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'tool-search-tool-2025-10-19',
];

/** Source: Bedrock user guide, "Anthropic Claude Messages API". */
export const bedrockBetas: ReadonlySet<string> = new Set([
  ...ofBoth,
  'dev-full-thinking-2025-05-14',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'mid-conversation-output-config-2026-07-01',
  'mid-conversation-tool-changes-2026-07-01',
  'output-128k-2025-02-19',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
]);

/** Source: Vertex AI guide to Claude. */
export const vertexBetas: ReadonlySet<string> = new Set([
  ...ofBoth,
  'compact-2026-09-04',
  'per-turn-control-2026-07-01',
  'web-search-2025-03-05',
]);

/** The betas of an `anthropic-beta` header that a cloud accepts: it refuses a request that names any other. */
export const acceptedBetas = (header: string | undefined, accepted: ReadonlySet<string>): readonly string[] => {
  const names = (header ?? '').split(',').map((name) => name.trim());
  return [...new Set(names.map((name) => renamed.get(name) ?? name))].filter((name) => accepted.has(name));
};
