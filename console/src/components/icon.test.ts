import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

test('the sprite contains exactly the named icons', () => {
  const named = [...(read('icon.tsx').match(/IconName =([\s\S]*?);/)?.[1] ?? '').matchAll(/'([\w-]+)'/g)].map(
    ([, name]) => name,
  );
  const drawn = [...read('icons.svg').matchAll(/<symbol id="([\w-]+)"/g)].map(([, name]) => name);
  expect(drawn.length).toBeGreaterThan(20);
  expect(new Set(named)).toEqual(new Set(drawn));
});
