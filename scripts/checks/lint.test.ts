import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Finding, lintPlanted } from './planted.ts';
import { root } from '../steps/root.mjs';

const long = (lines: number, line: string) => `${line}\n`.repeat(lines);

/** One fault per file, and the only rule that must report it. */
const faults: Readonly<Record<string, readonly [rule: string, source: string]>> = {
  'server/src/billing/floating.ts': [
    'no-floating-promises',
    'const later = async () => {};\nexport const f = () => {\n  later();\n};\n',
  ],
  'server/src/billing/misused.ts': [
    'no-misused-promises',
    'export const f = (list: number[]) => list.forEach(async () => {});\n',
  ],
  'server/src/billing/default.ts': ['no-default-export', 'export default 1;\n'],
  'server/src/billing/barrel.ts': ['no-barrel-file', "export * from './plain.ts';\n"],
  'server/src/billing/cycle-a.ts': ['no-cycle', "import { b } from './cycle-b.ts';\nexport const a = () => b;\n"],
  'server/src/billing/cycle-b.ts': ['no-cycle', "import { a } from './cycle-a.ts';\nexport const b = () => a;\n"],
  'server/src/billing/type-cycle-a.ts': [
    'no-cycle',
    "import type { B } from './type-cycle-b.ts';\nexport type A = B | 'a';\n",
  ],
  'server/src/billing/type-cycle-b.ts': [
    'no-cycle',
    "import type { A } from './type-cycle-a.ts';\nexport type B = readonly A[];\n",
  ],
  'server/src/billing/plain.ts': ['', 'export const plain = 1 as const;\n'],
  'server/src/billing/any.ts': ['no-explicit-any', 'export const f = (value: any) => typeof value;\n'],
  'server/src/billing/unsafe.ts': [
    'no-unsafe-member-access',
    'export const f = (text: string) => typeof JSON.parse(text).x;\n',
  ],
  'server/src/billing/non-null.ts': ['no-non-null-assertion', 'export const f = (text?: string) => text!;\n'],
  'server/src/billing/assertion.ts': [
    'consistent-type-assertions',
    'export const f = (value: unknown) => value as string;\n',
  ],
  'server/src/billing/type-import.ts': [
    'consistent-type-imports',
    "import { Stats } from 'node:fs';\nexport const f = (stats: Stats) => stats.size;\n",
  ],
  'server/src/billing/console.ts': ['no-console', "export const f = () => console.log('x');\n"],
  'server/src/billing/long-file.ts': ['max-lines', `${long(400, '// line')}export const x = 1;\n`],
  'server/src/billing/long-function.ts': [
    'max-lines-per-function',
    `export const f = (list: number[]) => {\n${long(60, '  list.push(1);')}};\n`,
  ],
  'server/src/billing/long-class.ts': ['max-class-lines', `export class Long {\n${long(99, '  // line')}}\n`],
  'server/src/billing/long-class-expression.ts': [
    'max-class-lines',
    `export const long = () => class {\n${long(99, '  // line')}};\n`,
  ],
  'server/src/billing/class-of-100-lines.ts': ['', `export class Long {\n${long(98, '  // line')}}\n`],
  'server/src/billing/long-class.test.ts': [
    '',
    `import { expect, test } from 'vitest';\n\nclass Long {\n${long(99, '  // line')}}\n\ntest('a', () => {\n  expect(Long).toBe(Long);\n});\n`,
  ],
  'server/src/billing/depth.ts': [
    'max-depth',
    'export const f = (n: number) => {\n  if (n) while (n > 1) for (const x of [n]) if (x) return x;\n  return 0;\n};\n',
  ],
  'server/src/billing/camelCase.ts': ['filename-case', 'export const x = 1;\n'],
  'server/src/billing/early.ts': [
    'no-else-return',
    'export const f = (n: number) => {\n  if (n > 1) {\n    return 1;\n  } else {\n    return 2;\n  }\n};\n',
  ],
  'server/src/billing/switch.ts': [
    'switch-exhaustiveness-check',
    "export const f = (x: 'a' | 'b') => {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n};\n",
  ],
  'server/src/billing/thrown.ts': ['only-throw-error', "export const f = () => {\n  throw 'text';\n};\n"],
  'server/src/billing/shadow.ts': ['no-shadow', 'export const x = 1;\nexport const f = (x: number) => x;\n'],
  'server/src/billing/todo.ts': ['no-warning-comments', '// TODO: later\nexport const x = 1;\n'],
  'server/src/providers/clock.ts': ['no-restricted-properties', 'export const f = () => Date.now();\n'],
  'server/src/dialects/network.ts': ['no-restricted-globals', "export const f = async () => fetch('x');\n"],
  'server/src/billing/focused.test.ts': [
    'no-focused-tests',
    "import { expect, test } from 'vitest';\n\ntest.only('a', () => {\n  expect(1).toBe(1);\n});\n",
  ],
  'server/src/billing/skipped.test.ts': [
    'no-disabled-tests',
    "import { expect, test } from 'vitest';\n\ntest.skip('a', () => {\n  expect(1).toBe(1);\n});\n",
  ],
  'server/src/billing/empty.test.ts': ['expect-expect', "import { test } from 'vitest';\n\ntest('a', () => {});\n"],
  'server/src/billing/mocked.test.ts': [
    'no-restricted-vi-methods',
    "import { expect, test, vi } from 'vitest';\n\nvi.mock('./plain.ts');\n\ntest('a', () => {\n  expect(1).toBe(1);\n});\n",
  ],
  'console/src/lib/hook.ts': [
    'rules-of-hooks',
    "import { useState } from 'react';\n\nexport const useThing = (on: boolean) => {\n  if (on) useState(1);\n  return on;\n};\n",
  ],
  'console/src/lib/deps.ts': [
    'exhaustive-deps',
    "import { useEffect } from 'react';\n\nexport const useTitle = (title: string) => {\n  useEffect(() => {\n    document.title = title;\n  }, []);\n};\n",
  ],
  'console/src/components/html.tsx': [
    'no-danger',
    'export const Html = (props: { text: string }) => <p dangerouslySetInnerHTML={{ __html: props.text }} />;\n',
  ],
  'console/src/components/image.tsx': ['alt-text', 'export const Image = () => <img src="x.png" />;\n'],
  'console/src/components/key.tsx': [
    'jsx-key',
    'export const List = (props: { names: string[] }) => <ul>{props.names.map((name) => <li>{name}</li>)}</ul>;\n',
  ],
};

let findings: Finding[] = [];
beforeAll(() => {
  findings = lintPlanted(Object.fromEntries(Object.entries(faults).map(([path, [, source]]) => [path, source])));
});

test.each(Object.entries(faults))('the fault planted in %s is reported, and nothing else is', (path, [rule]) => {
  const rules = new Set(findings.filter(({ file }) => file === path).map((finding) => finding.rule));
  expect([...rules]).toEqual(rule === '' ? [] : [rule]);
});

const exception = /(?:\/\/|\*) (?:(?:ox|es)lint-disable|@ts-(?:ignore|expect-error))/;

test('every exception from a lint rule has a reason, in its line or in a comment above', () => {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs', '*.js'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
  const silent = files.flatMap((path) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    return lines
      .map((line, index) => ({ line, above: lines[index - 1] ?? '', position: `${path}:${index + 1}` }))
      .filter(({ line, above }) => exception.test(line) && !/ -- \S/.test(line) && !/^\s*(?:\/\/|\*)/.test(above))
      .map(({ position }) => position);
  });
  expect(silent).toEqual([]);
});
