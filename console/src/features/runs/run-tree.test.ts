import { expect, test } from 'vitest';
import { runTree } from './run-tree.ts';

const step = (name: string, model: string, quota: number) => ({
  step: name,
  model,
  calls: 1,
  prompt_tokens: 2 * quota,
  completion_tokens: quota,
  quota,
});

test('the tree of a run adds up what is below each part, the dearest first', () => {
  const parts = runTree([
    step('plan/search', 'large', 10),
    step('plan/search', 'small', 1),
    step('plan', 'large', 30),
    step('', 'small', 5),
  ]);
  expect(parts.map(({ depth, kind, name, calls, quota }) => [depth, kind, name, calls, quota])).toEqual([
    [0, 'step', '', 4, 46],
    [1, 'step', 'plan', 3, 41],
    [2, 'model', 'large', 1, 30],
    [2, 'step', 'search', 2, 11],
    [3, 'model', 'large', 1, 10],
    [3, 'model', 'small', 1, 1],
    [1, 'model', 'small', 1, 5],
  ]);
  expect(parts[0]).toMatchObject({ promptTokens: 92, completionTokens: 46 });
  expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
});

test('a run without a logged call is one line, and a step may be named like a model', () => {
  expect(runTree([]).map(({ quota }) => quota)).toEqual([0]);
  expect(
    runTree([step('large', 'large', 1), step('', 'large', 1)]).map(({ kind, depth }) => `${kind} ${depth}`),
  ).toEqual(['step 0', 'step 1', 'model 2', 'model 1']);
});
