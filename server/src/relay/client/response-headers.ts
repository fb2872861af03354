import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../dialects/dialect.ts';

/**
 * Headers of every answer of the relay, as names and values: what an upstream wrote must never run as a page of the
 * console's origin, whatever type it claims to have.
 */
export const inertHeaders = [
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  "sandbox; default-src 'none'",
] as const;

/**
 * The only headers of an upstream that reach the client, besides its content type: they describe the call. Others act on
 * the browser, or tell the client about the operator's account (`openai-organization`).
 */
const passed =
  /^(?:(?:x-)?request-id|retry-after(?:-ms)?|x-should-retry|openai-(?:processing-ms|version|model)|(?:x|anthropic)-ratelimit-[\w-]+)$/;

const passedHeaders = (headers: IncomingHttpHeaders): string[] => {
  const result: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && passed.test(name)) result.push(name, value);
  }
  return result;
};

/** Types of the answers of every dialect. */
const commonTypes: ReadonlySet<string> = new Set(['application/json', 'text/event-stream']);

/** The upstream's content type if the dialect's answers can have it. */
const contentTypeOf = ({ answerTypes = [] }: Dialect, headers: IncomingHttpHeaders, usual: string): string => {
  const given = headers['content-type'] ?? '';
  if (commonTypes.has(given)) return given;
  const [essence = ''] = given.toLowerCase().split(';', 1);
  const type = essence.trim();
  const isAllowed =
    commonTypes.has(type) || answerTypes.some((each) => (each.endsWith('/') ? type.startsWith(each) : type === each));
  return isAllowed ? given : (answerTypes[0] ?? usual);
};

/** Of a whole answer: names and values in turn; `contentType` replaces the upstream's where the answer was converted. */
export const responseHeaders = (dialect: Dialect, headers: IncomingHttpHeaders, contentType?: string): string[] => [
  'content-type',
  contentType ?? contentTypeOf(dialect, headers, 'application/json; charset=utf-8'),
  ...passedHeaders(headers),
];

/** Of a stream, which must not be stored or buffered by proxies. */
export const streamHeaders = (dialect: Dialect, headers: IncomingHttpHeaders, contentType?: string): string[] => [
  'content-type',
  contentType ?? contentTypeOf(dialect, headers, 'text/event-stream'),
  'cache-control',
  'no-cache',
  'x-accel-buffering',
  'no',
  ...passedHeaders(headers),
];
