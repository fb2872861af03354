import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSource } from './open-source.ts';

test('what is no database of a gateway is refused with its reason', async () => {
  for (const [name, reason] of [
    [join(import.meta.dirname, 'none.db'), 'There is no file'],
    [import.meta.filename, "no dump of MySQL with a gateway's tables"],
    ['postgres://127.0.0.1:1/none', 'The PostgreSQL to import from cannot be read'],
    ['root:secret@tcp(127.0.0.1:1)/none', 'The MySQL to import from cannot be read'],
  ] as const) {
    const refused = await openSource(name).catch((error: unknown) => String(error));
    expect(refused).toContain(reason);
    expect(refused).not.toContain('secret');
  }
});
