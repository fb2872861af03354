import {
  completionParts,
  type UsagePart,
  promptParts,
  transcriptParts,
  type ChargedPart,
} from '@weir/contract/prices/usage-parts';
import { readExact, type Ratio } from './ratio.ts';

/** Tokens by part, each above 0. They are within the prompt or the completion, not beside them. */
export type PartTokens = Readonly<Partial<Record<ChargedPart, number>>>;

/** The price of a token of a part, relative to an ordinary one of the prompt or of the completion. Absent: the same. */
export type PartRatios = Readonly<Partial<Record<ChargedPart, Ratio>>>;

/** Parts as an upstream reported them, unchecked. */
export interface ReportedParts {
  readonly cacheRead?: unknown;
  readonly cacheWrite?: unknown;
  readonly cacheWriteLong?: unknown;
  readonly audioPrompt?: unknown;
  readonly imagePrompt?: unknown;
  readonly reasoning?: unknown;
  readonly audioCompletion?: unknown;
  readonly imageCompletion?: unknown;
}

const reportedNames = {
  cache_read: 'cacheRead',
  cache_write: 'cacheWrite',
  cache_write_1h: 'cacheWriteLong',
  audio_prompt: 'audioPrompt',
  image_prompt: 'imagePrompt',
  reasoning: 'reasoning',
  audio_completion: 'audioCompletion',
  image_completion: 'imageCompletion',
} as const satisfies Record<UsagePart, keyof ReportedParts>;

/** The parts of one side; none where they are no whole numbers or more than that side. */
const accepted = (parts: readonly UsagePart[], reported: ReportedParts, limit: number | null): PartTokens => {
  if (limit === null) return {};
  const tokens: Partial<Record<UsagePart, number>> = {};
  let sum = 0;
  for (const part of parts) {
    const count = reported[reportedNames[part]];
    if (count === undefined || count === null || count === 0) continue;
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) return {};
    tokens[part] = count;
    sum += count;
  }
  return sum <= limit ? tokens : {};
};

/**
 * The accepted parts of a report; `prompt` and `completion` are its accepted sides, null where they were counted here.
 */
export const acceptParts = (
  reported: ReportedParts | undefined,
  { prompt, completion }: { readonly prompt: number | null; readonly completion: number | null },
): PartTokens =>
  reported === undefined
    ? {}
    : { ...accepted(promptParts, reported, prompt), ...accepted(completionParts, reported, completion) };

const ofPrompt: ReadonlySet<string> = new Set([...promptParts, ...transcriptParts.prompt]);
const priced: ReadonlySet<string> = new Set([...promptParts, ...completionParts]);
const known = new Set([...priced, ...transcriptParts.prompt, ...transcriptParts.completion]);

/** Which side a part is within. */
export const sideOf = (part: ChargedPart): 'prompt' | 'completion' => (ofPrompt.has(part) ? 'prompt' : 'completion');

export const isUsagePart = (name: string): name is UsagePart => priced.has(name);
export const isChargedPart = (name: string): name is ChargedPart => known.has(name);

const keyForm = /^(.+):([a-z0-9_]+)$/;

/**
 * Reads the option PartRatio for one model: keys are `NAME:PART`, where NAME is a model or the beginning of its name
 * and a `*`; the longest that fits counts, part by part.
 */
export const partRatiosOf = (table: ReadonlyMap<string, Ratio>, model: string): PartRatios => {
  const ratios: Partial<Record<UsagePart, Ratio>> = {};
  const lengths = new Map<UsagePart, number>();
  for (const [key, value] of table) {
    const [, name = '', part = ''] = keyForm.exec(key) ?? [];
    if (!isUsagePart(part)) continue;
    const fits = name.endsWith('*') ? model.startsWith(name.slice(0, -1)) : model === name;
    const length = name.endsWith('*') ? name.length - 1 : Infinity;
    if (!fits || length < (lengths.get(part) ?? -1)) continue;
    lengths.set(part, length);
    ratios[part] = value;
  }
  return ratios;
};

/** Whether a text is a table for `partRatiosOf` alone: keys that name no part would never count. */
export const arePartRatios = (table: ReadonlyMap<string, Ratio>): boolean =>
  [...table].every(([key, value]) => value.times >= 0n && isUsagePart(keyForm.exec(key)?.[2] ?? ''));

/** Reads the part ratios of a log row. */
export const readPartRatios = (texts: Readonly<Record<string, string>>): PartRatios => {
  const ratios: Partial<Record<ChargedPart, Ratio>> = {};
  for (const [part, text] of Object.entries(texts)) {
    const value = readExact(text);
    if (isChargedPart(part) && value !== null) ratios[part] = value;
  }
  return ratios;
};
