/** `models/`, `anthropic/`, `accounts/x/models/`. */
const paths = /^(?:[^/]*\/)+(?=[^/])/;
/** Bedrock: `us.anthropic.`, `anthropic.`. */
const regions = /^(?:[a-z]{2,6}\.)?(?:anthropic|amazon|meta|mistral|cohere|deepseek|openai|qwen|ai21)\.(?=[a-z])/;
/** Bedrock's version: `-v1:0`. */
const revision = /-v\d+(?::\d+)?$/;
/** `-2025-04-14`, `-20250414`, `@20250414`, `-0125` (month and day), `-latest`. */
const date = /[-@](?:20\d\d-?(?:0[1-9]|1[0-2])-?(?:[0-2]\d|3[01])|(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])|latest)$/;

/**
 * The name by which a vendor's model and ours are matched: without path, region, revision and date, in lower case, with
 * hyphens for blanks and points (`Claude Sonnet 4.5` and `claude-sonnet-4-5-20250929` are one). Fine-tuned models keep
 * their whole name.
 */
export const modelKey = (name: string): string => {
  const plain = name.trim().toLowerCase();
  if (plain.startsWith('ft:')) return plain;
  const hyphens = plain
    .replace(paths, '')
    .replace(regions, '')
    .replace(revision, '')
    .replaceAll(/[\s.]+/g, '-');
  return hyphens.replace(date, '') || plain;
};
