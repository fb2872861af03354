import { beforeEach, expect, test } from 'vitest';
import { CallError } from './api/call-error.ts';
import { closesItself, closeToast, markToastsSeen, toast, toastDurations, toastFailure, toasts } from './toasts.ts';

beforeEach(() => toasts.set([]));

const shown = () => toasts.get().map(({ kind, text }) => [kind, text]);

test('ERR-03 shows toasts for the specified times', () => {
  expect(toastDurations).toEqual({ success: 1500, info: 3000, error: 5000, warning: 10_000, notice: 20_000 });
});

test('ERR-03 closes every toast automatically except notices', () => {
  expect(closesItself('notice')).toBe(false);
  expect((['success', 'info', 'error', 'warning'] as const).every(closesItself)).toBe(true);
});

test('stacks at most three, the newest last', () => {
  for (const text of ['1', '2', '3', '4']) toast('info', text);
  expect(shown()).toEqual([
    ['info', '2'],
    ['info', '3'],
    ['info', '4'],
  ]);
});

test('shows the same text once', () => {
  toast('error', 'again');
  toast('info', 'other');
  toast('error', 'again');
  expect(shown()).toEqual([
    ['info', 'other'],
    ['error', 'again'],
  ]);
});

test('C59 a toast replaces those of earlier actions, except notices', () => {
  toast('notice', 'stays');
  toast('error', 'Not saved');
  toast('warning', 'together');
  expect(shown()).toHaveLength(3);
  markToastsSeen();
  expect(shown()).toHaveLength(3);
  toast('success', 'Saved');
  expect(shown()).toEqual([
    ['notice', 'stays'],
    ['success', 'Saved'],
  ]);
});

test('closes one toast', () => {
  toast('info', 'a');
  const [first] = toasts.get();
  closeToast(first?.id ?? 0);
  expect(shown()).toEqual([]);
});

test('ERR-02 shows the message of a refusal as an error', () => {
  toastFailure(new CallError('refused', 'the name is taken'));
  expect(shown()).toEqual([['error', 'the name is taken']]);
});

test('ERR-01 shows an info toast that a demonstration site has no server', () => {
  toastFailure(new CallError('http', '', 405));
  expect(shown()).toEqual([['info', 'this site is for demonstration only and has no server side!']]);
});
