import { failureKind, failureText } from './api/failure-text.ts';
import { isRecord } from './is-record.ts';
import { tabMemory } from './browser/storage.ts';
import { createStore } from './store.ts';

export type ToastKind = 'success' | 'info' | 'error' | 'warning' | 'notice';

/** Milliseconds on screen (specification §9). A notice stays until it is closed (ruling 23). */
export const toastDurations: Record<ToastKind, number> = {
  success: 1500,
  info: 3000,
  error: 5000,
  warning: 10_000,
  notice: 20_000,
};
export const closesItself = (kind: ToastKind): boolean => kind !== 'notice';

export interface Toast {
  readonly id: number;
  readonly kind: ToastKind;
  /** Plain text; a notice may hold HTML, which is sanitised. */
  readonly text: string;
}

const stackedMax = 3;
let lastId = 0;

export const toasts = createStore<readonly Toast[]>([]);

/** The last toast that was shown before the user's latest press of a key or the pointer. */
let seenId = 0;

/** Called at each press: toasts on screen now are about what was done before. */
export const markToastsSeen = (): void => {
  seenId = lastId;
};

const isStale = ({ id, kind }: Toast): boolean => id <= seenId && closesItself(kind);

/** Shows a toast. It replaces toasts of earlier actions, and one with the same text. Notices stay. */
export const toast = (kind: ToastKind, text: string): void => {
  const others = toasts.get().filter((shown) => shown.text !== text && !isStale(shown));
  lastId += 1;
  toasts.set([...others, { id: lastId, kind, text }].slice(-stackedMax));
};

export const toastFailure = (error: unknown): void => toast(failureKind(error), failureText(error));

export const closeToast = (id: number): void => toasts.set(toasts.get().filter((shown) => shown.id !== id));

const isKind = (value: unknown): value is ToastKind =>
  typeof value === 'string' && Object.hasOwn(toastDurations, value);

/** Shows a toast after the next page load. */
export const toastAfterLoad = (kind: ToastKind, text: string): void => tabMemory.write('toast', { kind, text });

export const showCarriedToast = (): void => {
  const carried = tabMemory.take('toast');
  if (isRecord(carried) && isKind(carried['kind'])) toast(carried['kind'], String(carried['text']));
};
