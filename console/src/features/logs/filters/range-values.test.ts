import { expect, test } from 'vitest';
import { readRange } from './range-values.ts';

const nowMs = 1_795_243_000_000;

test('LOG-01 typed times become inclusive bounds; an empty one is open', () => {
  expect(readRange({ start: '-2h', end: 'now' }, nowMs)).toEqual({
    bounds: { start_timestamp: nowMs / 1000 - 7200, end_timestamp: nowMs / 1000 },
  });
  const start = new Date(2026, 2, 1, 18, 0, 0).getTime() / 1000;
  expect(readRange({ start: '2026-03-01 18:00', end: ' ' }, nowMs)).toEqual({
    bounds: { start_timestamp: start, end_timestamp: undefined },
  });
});

test('LOG-01 an invalid time, or an end before the start, is an error', () => {
  expect(readRange({ start: 'soon', end: '' }, nowMs)).toEqual({ fault: 'start' });
  expect(readRange({ start: '', end: '2026-02-31' }, nowMs)).toEqual({ fault: 'end' });
  expect(readRange({ start: 'now', end: '-1h' }, nowMs)).toEqual({ fault: 'order' });
});
