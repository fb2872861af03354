import { expect, test } from 'vitest';
import { createNotePace } from './note-pace.ts';

test('RELAY-07 a stream notes its state once a second, and thousands no more than a thousand times a second together', () => {
  const pace = createNotePace();
  pace.enter();
  expect(pace.intervalMs()).toBe(1000);
  for (let streams = 1; streams < 5000; streams++) pace.enter();
  expect(pace.intervalMs()).toBe(5000);
  for (let streams = 5000; streams > 800; streams--) pace.leave();
  expect(pace.intervalMs()).toBe(1000);
});
