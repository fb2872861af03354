import type { IncomingHttpHeaders } from 'node:http';

/** The only headers of an upstream that reach the client. */
const passed = [
  'content-type',
  'x-request-id',
  'request-id',
  'openai-processing-ms',
  'retry-after',
  'retry-after-ms',
] as const;

/** Names and values in turn; `contentType` replaces the upstream's where the answer was converted. */
export const responseHeaders = (headers: IncomingHttpHeaders, contentType?: string): string[] => {
  const result: string[] = [];
  for (const name of passed) {
    const value = name === 'content-type' ? (contentType ?? headers[name]) : headers[name];
    if (typeof value === 'string') result.push(name, value);
  }
  return result;
};

/** A stream must not be stored or buffered by proxies. */
export const streamHeaders = (headers: IncomingHttpHeaders, contentType?: string): string[] => [
  'content-type',
  contentType ?? headers['content-type'] ?? 'text/event-stream',
  'cache-control',
  'no-cache',
  'x-accel-buffering',
  'no',
  ...responseHeaders({ ...headers, 'content-type': undefined }),
];
