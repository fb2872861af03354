import { expect, test } from 'vitest';
import { boundsOf, pickPreset, presetIds, rangeOf, widerThan } from './log-range.ts';

const now = 1_795_243_000;

test('LOG-01 an address without a range means the last 24 hours, open at the end', () => {
  expect(rangeOf({})).toBe('24h');
  expect(boundsOf({}, now)).toEqual({ start: now - 86_400, end: 0 });
});

test('LOG-01 presets count back from now', () => {
  expect(boundsOf({ range: '1h' }, now)).toEqual({ start: now - 3600, end: 0 });
  expect(boundsOf({ range: '7d' }, now)).toEqual({ start: now - 604_800, end: 0 });
  expect(boundsOf({ range: '30d' }, now)).toEqual({ start: now - 2_592_000, end: 0 });
});

test('LOG-01 all time sends no bound', () => {
  expect(boundsOf({ range: 'all' }, now)).toEqual({ start: 0, end: 0 });
});

test('LOG-01 today begins at the local midnight', () => {
  const { start, end } = boundsOf({ range: 'today' }, now);
  const midnight = new Date(start * 1000);
  expect([midnight.getHours(), midnight.getMinutes(), midnight.getSeconds()]).toEqual([0, 0, 0]);
  expect(midnight.toDateString()).toBe(new Date(now * 1000).toDateString());
  expect(end).toBe(0);
});

test('C35 yesterday ends with its last second', () => {
  const { start, end } = boundsOf({ range: 'yesterday' }, now);
  expect(end).toBe(boundsOf({ range: 'today' }, now).start - 1);
  expect(new Date(start * 1000).getHours()).toBe(0);
  expect(new Date(start * 1000).toDateString()).toBe(new Date(end * 1000).toDateString());
});

test('C18 C35 last month is a whole calendar month in UTC, like that of the dashboard', () => {
  const { start, end } = boundsOf({ range: 'last-month' }, Date.UTC(2026, 0, 31, 12) / 1000);
  expect([start, end]).toEqual([Date.UTC(2025, 11) / 1000, Date.UTC(2026, 0) / 1000 - 1]);
});

test('LOG-01 custom times override a preset, and one of the two may be open', () => {
  expect(rangeOf({ range: '7d', start_timestamp: 5 })).toBe('custom');
  expect(boundsOf({ range: '7d', start_timestamp: 5 }, now)).toEqual({ start: 5, end: 0 });
  expect(boundsOf({ end_timestamp: 9 }, now)).toEqual({ start: 0, end: 9 });
});

test('LOG-05 picking a preset removes custom times, and the default one leaves the address empty', () => {
  expect(pickPreset('7d')).toEqual({ range: '7d', start_timestamp: undefined, end_timestamp: undefined });
  expect(pickPreset('24h').range).toBeUndefined();
});

test('an empty range always offers a wider one, up to all time', () => {
  for (const preset of presetIds) {
    const steps = [];
    for (let next = widerThan(preset); next !== undefined; next = widerThan(next)) steps.push(next);
    expect(steps.at(-1)).toBe(preset === 'all' ? undefined : 'all');
  }
  expect(widerThan('custom')).toBe('all');
});
