import { expect, test } from 'vitest';
import type { RelayFailure } from '../../providers/provider.ts';
import {
  createCircuitBreaker,
  coolDownMs,
  coolDownMsMax,
  failuresMax,
  retryAfterMs,
  retryAfterMsMax,
} from './circuit-breaker.ts';
import type { RoutedChannel } from './routed-channel.ts';

const error = { message: 'no', type: 'x', param: null, code: null };
const failing = (status: number, refusesAccount?: true): RelayFailure => ({
  status,
  error,
  retryable: true,
  ...(refusesAccount && { refusesAccount }),
});

/** Of a channel with one key, or with two. */
const channelOf = (channelKey: string, channelKeys: readonly unknown[] = [null]): RoutedChannel =>
  // Only what a circuit depends on: which key it is, and whether its channel has others.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  ({ channelKey, channelKeys }) as unknown as RoutedChannel;

const start = () => {
  let now = 1_000_000;
  const breaker = createCircuitBreaker({ clock: { now: () => now } });
  const one = channelOf('1/0');
  return {
    breaker,
    one,
    now: () => now,
    pass: (ms: number) => (now += ms),
    fail: (times: number, status = 500) => {
      for (let time = 0; time < times; time += 1) breaker.onFailure(one, 'm', failing(status), '');
    },
    reason: (model = 'm') => breaker.coolDownOf(one, model)?.reason,
  };
};

test('RELAY-05 enough consecutive failures open the circuit, and a success between them does not', () => {
  const { breaker, one, now, fail, reason, pass } = start();
  fail(failuresMax - 1);
  breaker.onSuccess(one, 'm');
  fail(failuresMax - 1);
  expect(reason()).toBeUndefined();
  fail(1);
  expect(breaker.coolDownOf(one, 'other')).toEqual({ reason: 'failures', until: now() + coolDownMs });
  expect(breaker.coolDownOf(channelOf('2/0'), 'm')).toBeNull();
  // Failures of calls that were running when the cool-down began do not extend it.
  fail(20);
  pass(coolDownMs);
  expect(reason()).toBeUndefined();
});

test('RELAY-05 failures caused by the request or the set-up do not count against the channel', () => {
  const { breaker, one, fail, reason } = start();
  fail(50, 400);
  fail(50, 404);
  fail(50, 422);
  const incomplete = { ...failing(502), error: { ...error, code: 'channel_incomplete' } };
  for (let time = 0; time < 50; time += 1) breaker.onFailure(one, 'm', incomplete, '');
  expect(reason()).toBeUndefined();
});

test('RELAY-05 after a cool-down one trial call goes out while others avoid the key; each cool-down is longer, up to a limit', () => {
  const { breaker, one, now, fail, pass, reason } = start();
  fail(failuresMax);
  for (let round = 2; round <= 20; round += 1) {
    pass(Math.min(coolDownMsMax, coolDownMs * (round - 1)));
    expect(reason()).toBeUndefined();
    breaker.onAttempt(one);
    expect(reason()).toBe('failures');
    fail(1);
    expect(breaker.coolDownOf(one, 'm')?.until).toBe(now() + Math.min(coolDownMsMax, coolDownMs * round));
  }
  // After a trial without a result another trial follows.
  pass(coolDownMsMax);
  breaker.onAttempt(one);
  pass(coolDownMs);
  expect(reason()).toBeUndefined();
  breaker.onAttempt(one);
  breaker.onSuccess(one, 'm');
  expect(reason()).toBeUndefined();
  // A key that fails again soon has a long cool-down at once; one that worked for long starts over.
  fail(failuresMax);
  expect(breaker.coolDownOf(one, 'm')?.until).toBe(now() + coolDownMsMax);
  pass(coolDownMsMax);
  breaker.onAttempt(one);
  breaker.onSuccess(one, 'm');
  pass(coolDownMsMax + 1);
  breaker.onSuccess(one, 'm');
  fail(failuresMax);
  expect(breaker.coolDownOf(one, 'm')?.until).toBe(now() + coolDownMs);
});

test('RELAY-05 a time that the upstream names counts at once, for the model that it limits', () => {
  const { breaker, one, now, pass, reason } = start();
  breaker.onFailure(one, 'm', failing(429), '7');
  expect(breaker.coolDownOf(one, 'm')).toEqual({ reason: 'retry_after', until: now() + 7000 });
  expect(reason('other')).toBeUndefined();
  pass(7000);
  expect(reason()).toBeUndefined();
  breaker.onFailure(one, 'm', failing(503), new Date(now() + 120_000).toUTCString());
  expect(reason()).toBe('retry_after');
  breaker.onSuccess(one, 'm');
  expect(reason()).toBeUndefined();
  breaker.onFailure(one, 'm', failing(429), '999999');
  expect(breaker.coolDownOf(one, 'm')?.until).toBe(now() + retryAfterMsMax);
  // A clock that was set back ends the pause.
  pass(-2 * retryAfterMsMax);
  expect(reason()).toBeUndefined();
});

test('RELAY-06 a refused key opens its circuit at once where its channel has others', () => {
  const { breaker, one } = start();
  breaker.onFailure(one, 'm', failing(401, true), '');
  expect(breaker.coolDownOf(one, 'm')).toBeNull();
  const first = channelOf('2/0', [null, null]);
  breaker.onFailure(first, 'm', failing(401, true), '60');
  expect(breaker.coolDownOf(first, 'm')?.reason).toBe('refused');
  expect(breaker.coolDownOf(channelOf('2/1', [null, null]), 'm')).toBeNull();
});

test('RELAY-05 Retry-After is seconds or a date, and nothing else', () => {
  const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
  const read = (header: string) => retryAfterMs(header, now);
  expect([read('0'), read('3'), read(' 2.5 '), read('Wed, 21 Oct 2026 07:28:10 GMT')]).toEqual([0, 3000, 2500, 10_000]);
  expect([read(''), read('soon'), read('-5'), read('Wed, 21 Oct 2020 07:28:10 GMT')]).toEqual([0, 0, 0, 0]);
});
