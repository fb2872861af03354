import { scanObject, type ScannedObject, type Span } from '../scan/json-scan.ts';
import { insertion, valueOf } from '../scan/member-scan.ts';
import type { Edit } from '../scan/splice.ts';

const includeUsageMember = new Set(['include_usage']);

/** Whether `stream_options` ask for the usage of a stream. */
export const asksUsage = (bytes: Buffer, options: Span | undefined): boolean => {
  if (options === undefined) return false;
  const inner = bytes.subarray(options.start, options.end);
  const scanned = scanObject(inner, includeUsageMember);
  return scanned.kind === 'object' && valueOf(inner, scanned.members.get('include_usage')) === true;
};

/** Makes `stream_options` ask for the usage of a stream. */
export const usageEdit = (bytes: Buffer, scanned: ScannedObject): Edit => {
  const options = scanned.members.get('stream_options');
  if (options === undefined)
    return insertion(scanned.inside, 'stream_options', '{"include_usage":true}', scanned.empty);
  const inner = scanObject(bytes.subarray(options.start, options.end), includeUsageMember);
  if (inner.kind !== 'object') return { ...options, text: '{"include_usage":true}' };
  const given = inner.members.get('include_usage');
  if (given === undefined) return insertion(options.start + inner.inside, 'include_usage', 'true', inner.empty);
  return { start: options.start + given.start, end: options.start + given.end, text: 'true' };
};
