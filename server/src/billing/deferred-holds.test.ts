import { expect, test } from 'vitest';
import type { EventLoopTimers } from '../store/ledger/event-loop-timers.ts';
import { createDeferredHolds, type DeferredHold } from './deferred-holds.ts';

/** Time that the test moves. */
const createTimers = () => {
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const after: EventLoopTimers['after'] = (ms, run) => {
    const timer = { at: now + ms, run };
    timers.push(timer);
    return () => void (timers = timers.filter((other) => other !== timer));
  };
  const pass = (ms: number) => {
    const until = now + ms;
    for (;;) {
      const next = timers.filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      timers = timers.filter((timer) => timer !== next);
      now = next.at;
      next.run();
    }
    now = until;
  };
  return {
    timers: { now: () => now, after, soon: (run: () => void) => void after(0, run) },
    pass,
    count: () => timers.length,
  };
};

const start = () => {
  const { timers, pass, count } = createTimers();
  const written: string[] = [];
  const holds = createDeferredHolds(timers);
  const add = (name: string): DeferredHold => {
    const hold: DeferredHold = { waits: null, write: () => void written.push(name) };
    holds.add(hold);
    return hold;
  };
  return { holds, add, pass, count, written };
};

test('M16 a hold is written once, at 100 ms, and those that came later at theirs', () => {
  const { add, pass, written, count } = start();
  add('first');
  pass(60);
  add('second');
  pass(39);
  expect(written).toEqual([]);
  pass(1);
  expect(written).toEqual(['first']);
  pass(59);
  expect(written).toEqual(['first']);
  pass(25);
  expect(written).toEqual(['first', 'second']);
  pass(1000);
  expect(written).toEqual(['first', 'second']);
  expect(count()).toBe(0);
});

test('M16 M17 holds that end before, in any order, are never written, and all others are', () => {
  const { holds, add, pass, written } = start();
  const all = ['a', 'b', 'c', 'd', 'e'].map(add);
  for (const index of [1, 4, 0]) {
    const hold = all[index];
    if (hold !== undefined) holds.remove(hold);
  }
  // What was removed is not in the list: a second time removes no other.
  for (const hold of all.slice(0, 2)) holds.remove(hold);
  pass(100);
  expect(written.toSorted()).toEqual(['c', 'd']);
  expect(all.map(({ waits }) => waits)).toEqual([null, null, null, null, null]);
});

test('M16 holds that come one after the other need one timer, and none after the end', () => {
  const { holds, add, pass, count, written } = start();
  for (const name of ['a', 'b', 'c']) {
    add(name);
    pass(10);
  }
  expect(count()).toBe(1);
  holds.close();
  pass(1000);
  expect(written).toEqual([]);
});
