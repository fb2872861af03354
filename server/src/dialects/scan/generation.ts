import type { ReadFault } from '../dialect.ts';
import type { ScannedObject } from './json-scan.ts';
import { fault, isOutputLimit, modelOf, scanBody, valueOf } from './member-scan.ts';

/** What requests for generated text have in common. */
export interface Generation {
  readonly kind: 'generation';
  readonly scanned: ScannedObject;
  readonly model: string;
  readonly stream: boolean;
  /** Tokens of one answer; null: no limit. */
  readonly outputLimit: number | null;
  /** The value of a scanned member; undefined when it is absent. */
  read(name: string): unknown;
}

/** The members of a generation's body that a dialect reads. */
export interface GenerationMembers {
  readonly scanned: ReadonlySet<string>;
  /** Those with an output limit, of which the smallest counts; faults name the first. */
  readonly limits: readonly string[];
}

/** 0 counts as "not given", as in the reference gateway. */
const smaller = (a: number | null, b: number | null): number | null => {
  if (b === null || b === 0) return a;
  return a === null ? b : Math.min(a, b);
};

/** Reads them, or the body's first fault. Never throws. */
export const readGeneration = (bytes: Buffer, wanted: GenerationMembers): Generation | ReadFault => {
  const scanned = scanBody(bytes, wanted.scanned);
  if (scanned.kind === 'fault') return scanned;
  const read = (name: string): unknown => valueOf(bytes, scanned.members.get(name));
  const model = modelOf(read('model'));
  if (typeof model !== 'string') return model;
  const stream = read('stream') ?? false;
  if (typeof stream !== 'boolean') return fault('invalid_text_request', 'stream must be a boolean');
  const limits = wanted.limits.map((name) => read(name) ?? null);
  if (!limits.every(isOutputLimit)) return fault('invalid_text_request', `${wanted.limits[0]} is invalid`);
  return { kind: 'generation', scanned, model, stream, outputLimit: limits.reduce(smaller, null), read };
};
