import type { RunStep } from '@weir/contract/limits/runs';
import type { UsageSums } from '../../components/table/usage-table.tsx';

/** A part of a run's work with everything below it: a level of the steps, or a model that was called there. */
export interface RunPart extends UsageSums {
  /** Different from that of every other part. */
  readonly id: string;
  /** Empty: the run itself. */
  readonly name: string;
  readonly kind: 'step' | 'model';
  /** 0: the run itself. */
  readonly depth: number;
}

type Counted = { -readonly [Sum in keyof UsageSums]: UsageSums[Sum] };

interface Part extends Counted {
  readonly name: string;
  readonly kind: RunPart['kind'];
  readonly children: Map<string, Part>;
}

const newPart = (name: string, kind: RunPart['kind']): Part => ({
  name,
  kind,
  children: new Map(),
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  quota: 0,
});

const childOf = (part: Part, name: string, kind: RunPart['kind']): Part => {
  // A step may be named like a model.
  const key = `${kind} ${name}`;
  const child = part.children.get(key) ?? newPart(name, kind);
  part.children.set(key, child);
  return child;
};

const add = (part: Part, { calls, prompt_tokens, completion_tokens, quota }: RunStep): void => {
  part.calls += calls;
  part.promptTokens += prompt_tokens;
  part.completionTokens += completion_tokens;
  part.quota += quota;
};

const listed = ({ children, ...part }: Part, id: string, depth: number): RunPart[] => [
  { ...part, id, depth },
  ...[...children]
    .toSorted(([, one], [, other]) => other.quota - one.quota || other.calls - one.calls)
    .flatMap(([key, child]) => listed(child, `${id}/${key}`, depth + 1)),
];

/** The tree of a run's work, line by line: each part before those below it, the dearest first. */
export const runTree = (steps: readonly RunStep[]): readonly RunPart[] => {
  const root = newPart('', 'step');
  for (const each of steps) {
    const levels = each.step === '' ? [] : each.step.split('/');
    let part = root;
    add(part, each);
    for (const level of levels) {
      part = childOf(part, level, 'step');
      add(part, each);
    }
    add(childOf(part, each.model, 'model'), each);
  }
  return listed(root, '', 0);
};
