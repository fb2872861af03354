import type { ReadFault } from '../dialect.ts';
import { depthMax, scanObject, type ScannedObject, type Span } from './json-scan.ts';
import type { Edit } from './splice.ts';

export const fault = (code: ReadFault['code'], message: string): ReadFault => ({ kind: 'fault', code, message });

/** The spans of the requested members of a body, or its fault. */
export const scanBody = (bytes: Buffer, wanted: ReadonlySet<string>): ScannedObject | ReadFault => {
  const scanned = scanObject(bytes, wanted);
  if (scanned.kind === 'too_deep') return fault('invalid_json', `the body is nested deeper than ${depthMax} levels`);
  if (scanned.kind === 'not_object') return fault('invalid_json', 'the body must be a JSON object');
  if (scanned.kind === 'malformed') return fault('invalid_json', 'the body is not valid JSON');
  if (scanned.duplicate !== null) return fault('invalid_json', `duplicate member ${scanned.duplicate}`);
  return scanned;
};

/** Represents a value that is no text, number or boolean. */
const other = Symbol('other');

/** The value of a span; undefined when the member is absent. Objects and lists are not built. */
export const valueOf = (bytes: Buffer, span: Span | undefined): unknown => {
  if (span === undefined) return undefined;
  if (bytes[span.start] === 0x7b || bytes[span.start] === 0x5b) return other;
  try {
    return JSON.parse(bytes.toString('utf8', span.start, span.end));
  } catch {
    return other;
  }
};

export const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

const choicesMax = 128;

/** The number of answers that a request may ask for. */
export const isChoices = (value: unknown): value is number => isWhole(value) && value >= 1 && value <= choicesMax;

/** The service tier of a request; what is no text is left to the vendor. */
export const tierOf = (value: unknown): { readonly serviceTier?: string } =>
  typeof value === 'string' && value !== '' ? { serviceTier: value.toLowerCase() } : {};

/** Output limits beyond 2^30 are refused, as the reference gateway does (wire contract 3.5). */
const outputLimitMax = 2 ** 30 - 1;

export const isOutputLimit = (value: unknown): value is number | null =>
  value === null || (isWhole(value) && value >= 0 && value <= outputLimitMax);

const modelNameMax = 256;

/** The name of a model, or why a value is not one. */
export const modelOf = (model: unknown): string | ReadFault => {
  if (model === undefined || model === null || model === '') return fault('invalid_text_request', 'model is required');
  if (typeof model !== 'string') return fault('invalid_text_request', 'model must be a string');
  if (model.length > modelNameMax) return fault('invalid_text_request', 'model is too long');
  return model;
};

/** Sets a member of the body to a JSON text. */
export const settingOf = ({ members, inside, empty }: ScannedObject, name: string, text: string): Edit => {
  const span = members.get(name);
  return span === undefined ? insertion(inside, name, text, empty) : { ...span, text };
};

/** Inserts a member before the others. */
export const insertion = (at: number, name: string, text: string, alone: boolean): Edit => ({
  start: at,
  end: at,
  text: `${JSON.stringify(name)}:${text}${alone ? '' : ','}`,
});
