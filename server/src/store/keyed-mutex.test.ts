import { expect, test } from 'vitest';
import { createKeyedMutex } from './keyed-mutex.ts';

test('work of one key is done in turn, also after a failure, and keys do not wait for each other', async () => {
  const mutex = createKeyedMutex();
  const done: string[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = (name: string, gate?: Promise<void>) => async () => {
    done.push(`${name} begins`);
    await gate;
    done.push(`${name} ends`);
    return name;
  };
  const first = mutex('a', work('first', gates[0]?.promise));
  const second = mutex('a', async () => {
    done.push('second fails');
    throw new Error('second');
  });
  const third = mutex('a', work('third', gates[1]?.promise));
  expect(await mutex('b', work('other'))).toBe('other');
  expect(done).toEqual(['first begins', 'other begins', 'other ends']);
  gates[0]?.resolve();
  expect(await first).toBe('first');
  await expect(second).rejects.toThrow('second');
  gates[1]?.resolve();
  expect(await third).toBe('third');
  expect(done.slice(3)).toEqual(['first ends', 'second fails', 'third begins', 'third ends']);
  expect(await mutex('a', work('later'))).toBe('later');
});
