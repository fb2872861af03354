import { expect, test } from 'vitest';
import type { RelayFailure } from '../../providers/provider.ts';
import { createRests, failuresMax, restMostMs, restMs, retryAfterMostMs } from './rests.ts';
import { retryAfterMs } from '../upstream/retry-after.ts';
import type { RoutedChannel } from './routed-channel.ts';

const error = { message: 'no', type: 'x', param: null, code: null };
const failing = (status: number, refusesAccount?: true): RelayFailure => ({
  status,
  error,
  retryable: true,
  ...(refusesAccount && { refusesAccount }),
});

/** Of a channel with one key, or with two. */
const laneOf = (lane: string, lanes: readonly unknown[] = [null]): RoutedChannel =>
  // Only what a rest depends on: which key it is, and whether its channel has others.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  ({ lane, lanes }) as unknown as RoutedChannel;

const start = () => {
  let now = 1_000_000;
  const rests = createRests({ clock: { now: () => now } });
  const one = laneOf('1/0');
  return {
    rests,
    one,
    now: () => now,
    pass: (ms: number) => (now += ms),
    fail: (times: number, status = 500) => {
      for (let time = 0; time < times; time += 1) rests.failed(one, 'm', failing(status), '');
    },
    reason: (model = 'm') => rests.of(one, model)?.reason,
  };
};

test('RELAY-05 so many failures in a row are a rest, and an answer between them is none', () => {
  const { rests, one, now, fail, reason, pass } = start();
  fail(failuresMax - 1);
  rests.answered(one, 'm');
  fail(failuresMax - 1);
  expect(reason()).toBeUndefined();
  fail(1);
  expect(rests.of(one, 'other')).toEqual({ reason: 'failures', until: now() + restMs });
  expect(rests.of(laneOf('2/0'), 'm')).toBeNull();
  // What was under way when it began makes it no longer.
  fail(20);
  pass(restMs);
  expect(reason()).toBeUndefined();
});

test('RELAY-05 failures for which the request is at fault, or the set-up, are none of the channel', () => {
  const { rests, one, fail, reason } = start();
  fail(50, 400);
  fail(50, 404);
  fail(50, 422);
  const incomplete = { ...failing(502), error: { ...error, code: 'channel_incomplete' } };
  for (let time = 0; time < 50; time += 1) rests.failed(one, 'm', incomplete, '');
  expect(reason()).toBeUndefined();
});

test('RELAY-05 after a rest one call tries the channel while others pass it by; each rest is longer, up to a most', () => {
  const { rests, one, now, fail, pass, reason } = start();
  fail(failuresMax);
  for (let turn = 2; turn <= 20; turn += 1) {
    pass(Math.min(restMostMs, restMs * (turn - 1)));
    expect(reason()).toBeUndefined();
    rests.took(one);
    expect(reason()).toBe('failures');
    fail(1);
    expect(rests.of(one, 'm')?.until).toBe(now() + Math.min(restMostMs, restMs * turn));
  }
  // A trial that never came to a result is not the last one.
  pass(restMostMs);
  rests.took(one);
  pass(restMs);
  expect(reason()).toBeUndefined();
  rests.took(one);
  rests.answered(one, 'm');
  expect(reason()).toBeUndefined();
  // One that comes back to fail rests long at once; one that did well for long begins anew.
  fail(failuresMax);
  expect(rests.of(one, 'm')?.until).toBe(now() + restMostMs);
  pass(restMostMs);
  rests.took(one);
  rests.answered(one, 'm');
  pass(restMostMs + 1);
  rests.answered(one, 'm');
  fail(failuresMax);
  expect(rests.of(one, 'm')?.until).toBe(now() + restMs);
});

test('RELAY-05 a time that the upstream names counts at once, for the model that it limits', () => {
  const { rests, one, now, pass, reason } = start();
  rests.failed(one, 'm', failing(429), '7');
  expect(rests.of(one, 'm')).toEqual({ reason: 'retry_after', until: now() + 7000 });
  expect(reason('other')).toBeUndefined();
  pass(7000);
  expect(reason()).toBeUndefined();
  rests.failed(one, 'm', failing(503), new Date(now() + 120_000).toUTCString());
  expect(reason()).toBe('retry_after');
  rests.answered(one, 'm');
  expect(reason()).toBeUndefined();
  rests.failed(one, 'm', failing(429), '999999');
  expect(rests.of(one, 'm')?.until).toBe(now() + retryAfterMostMs);
  // Nobody waits for a clock that was set back.
  pass(-2 * retryAfterMostMs);
  expect(reason()).toBeUndefined();
});

test('RELAY-06 a refused key rests at once where its channel has others', () => {
  const { rests, one } = start();
  rests.failed(one, 'm', failing(401, true), '');
  expect(rests.of(one, 'm')).toBeNull();
  const first = laneOf('2/0', [null, null]);
  rests.failed(first, 'm', failing(401, true), '60');
  expect(rests.of(first, 'm')?.reason).toBe('refused');
  expect(rests.of(laneOf('2/1', [null, null]), 'm')).toBeNull();
});

test('RELAY-05 Retry-After is seconds or a date, and nothing else', () => {
  const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
  const read = (header: string) => retryAfterMs(header, now);
  expect([read('0'), read('3'), read(' 2.5 '), read('Wed, 21 Oct 2026 07:28:10 GMT')]).toEqual([0, 3000, 2500, 10_000]);
  expect([read(''), read('soon'), read('-5'), read('Wed, 21 Oct 2020 07:28:10 GMT')]).toEqual([0, 0, 0, 0]);
});
