import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBodyMemory } from './body-memory.ts';

const megabyte = 1024 * 1024;

test('the young objects are collected once for each 16 MB of bodies, after the turn that read them', async () => {
  let collections = 0;
  const memory = createBodyMemory(() => (collections += 1));
  for (let read = 0; read < 15; read += 1) memory.read(megabyte);
  await turn();
  expect(collections).toBe(0);
  memory.read(megabyte);
  expect(collections).toBe(0);
  await turn();
  expect(collections).toBe(1);
  memory.read(40 * megabyte);
  await turn();
  expect(collections).toBe(2);
});

test('without a way to collect, bodies are read all the same', () => {
  const memory = createBodyMemory(undefined);
  expect(() => memory.read(40 * megabyte)).not.toThrow();
});
