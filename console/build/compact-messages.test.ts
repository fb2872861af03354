import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compactMessage } from './compact-messages.ts';

const compiled = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', 'src', 'paraglide', 'messages', `${name}.js`), 'utf8');

test('keeps both texts of a message and leaves the choice of the language to one function', () => {
  const code = compactMessage(compiled('channel_balance_at'), './locale.ts') ?? '';
  expect(code).toContain('`Updated ${i?.time}`');
  expect(code).toContain('`更新于 ${i?.time}`');
  expect(code).toContain("import { message } from './locale.ts';");
  expect(code).toMatch(/export const channel_balance_at = \/\* @__PURE__ \*\/ message\(en_\w+, zh_\w+\);\n$/);
  expect(code).not.toContain('getLocale');
});

test('leaves other modules of the compiler as they are', () => {
  expect(compactMessage(compiled('_index'), './locale.ts')).toBeUndefined();
});
