import { totalmem } from 'node:os';
import type { RelayLimits } from '../limits.ts';
import type { MemoryLimits } from './memory-budget.ts';

/** What an operator sets, in MiB; absent: the default. */
export interface SizeSettings {
  /** Processes that share the machine; absent: one. */
  readonly workers?: number;
  readonly memoryMb?: number | undefined;
  readonly memoryUserMb?: number | undefined;
  readonly memoryCallMb?: number | undefined;
  readonly bodyMaxMb?: number | undefined;
  readonly answerMaxMb?: number | undefined;
  readonly eventMaxMb?: number | undefined;
  readonly contentMaxMb?: number | undefined;
}

const mebibyte = 1024 * 1024;

/** A quarter of what the process may use, within these: the rest is the process itself and what is being freed. */
const leastMb = 128;
const mostMb = 1024;
/** The longest body, its copy for the upstream, and the longest answer. */
const callMb = 192;

const defaultMb = (workers: number): number => {
  const constrained = process.constrainedMemory();
  const available = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.min(mostMb, Math.max(leastMb, Math.floor(available / 4 / workers / mebibyte)));
};

export const memoryLimits = (settings: SizeSettings = {}): MemoryLimits => {
  const { workers = 1 } = settings;
  const { memoryMb = defaultMb(workers) } = settings;
  const { memoryUserMb = memoryMb / 2 } = settings;
  const { memoryCallMb = Math.min(callMb, memoryUserMb) } = settings;
  return { processMax: memoryMb * mebibyte, userMax: memoryUserMb * mebibyte, callMax: memoryCallMb * mebibyte };
};

/** The limits that are set. */
export const sizeLimits = (settings: SizeSettings = {}): Partial<RelayLimits> => {
  const { bodyMaxMb, answerMaxMb, eventMaxMb, contentMaxMb } = settings;
  return {
    ...(bodyMaxMb !== undefined && { bodyMax: bodyMaxMb * mebibyte }),
    ...(answerMaxMb !== undefined && { answerMax: answerMaxMb * mebibyte }),
    ...(eventMaxMb !== undefined && { eventMax: eventMaxMb * mebibyte }),
    ...(contentMaxMb !== undefined && { contentMax: contentMaxMb * mebibyte }),
  };
};
