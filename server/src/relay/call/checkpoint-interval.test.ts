import { expect, test } from 'vitest';
import { createCheckpointInterval } from './checkpoint-interval.ts';

test('RELAY-07 a stream notes its state once a second, and thousands no more than a thousand times a second together', () => {
  const interval = createCheckpointInterval();
  interval.streamStarted();
  expect(interval.currentMs()).toBe(1000);
  for (let streams = 1; streams < 5000; streams++) interval.streamStarted();
  expect(interval.currentMs()).toBe(5000);
  for (let streams = 5000; streams > 800; streams--) interval.streamEnded();
  expect(interval.currentMs()).toBe(1000);
});
