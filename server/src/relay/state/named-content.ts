/**
 * Members and values by which a body names content that is not in it. Quotes within texts are escaped, so that what is found
 * is a member or a value of its own.
 */
const names = {
  /** What vendors keep, but for what a dialect reads itself: files, caches, containers. */
  kept: [
    String.raw`"(?:file_?ids?|file_?uri|vector_store_ids|cached_?content)"`,
    String.raw`"container"\s*:\s*(?:"|\{[^{}]*"id")`,
  ],
  /** State that a dialect reads itself. */
  state: [String.raw`"(?:previous_response_id|conversation)"`, String.raw`"prompt"\s*:\s*\{`],
  /** What the upstream is sent in another form, fetches or searches. */
  fetched: [
    String.raw`"(?:file_?(?:url|data)|image_url|video_url|url|server_url|plugins|mcp_servers|container)"`,
    String.raw`"(?:web_search\w*|search_\w+|google_?search\w*|url_?context)"`,
    String.raw`"type"\s*:\s*"(?:web_|file_search|code_|mcp|computer|bash|text_editor)`,
  ],
} as const;

const patternOf = (kinds: readonly (keyof typeof names)[]): RegExp =>
  new RegExp(kinds.flatMap((kind) => names[kind]).join('|'), 'i');

const kept = patternOf(['kept']);
const any = patternOf(['kept', 'state', 'fetched']);

/**
 * What every name of kept content begins with: most bodies have none of it, and need not be read as a text. Node searches a
 * text of 8 bytes and more bytewise once a body has a few that begin alike (`"content"`): 34 µs per 64 KB instead of 1.
 */
const keptBeginnings = ['"file', '"vector', '"cached', '"contai'].map((text) => Buffer.from(text));

/** Whether a body names what vendors keep, but for what a dialect reads itself. */
export const namesKeptContent = (bytes: Buffer): boolean =>
  keptBeginnings.some((beginning) => bytes.includes(beginning)) && kept.test(bytes.toString('latin1'));

/** Whether a body names anything that may make its prompt longer than its bytes. Costs a copy of the body. */
export const namesOtherContent = (bytes: Buffer): boolean => any.test(bytes.toString('latin1'));
