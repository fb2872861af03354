import type { BookDifference } from '@weir/contract/prices/book-updates';
import { expect, test } from 'vitest';
import { approvable, keepOf, moreCharged, otherMembers, rateChanges, shareText, totalsOf } from './book-rows.ts';

const effect = {
  calls: 4,
  users: 1,
  top: [],
  prompt_tokens: 4000,
  completion_tokens: 400,
  charged: 2200,
  cost: null,
  charge_before: 2000,
  charge_after: 3000,
  cost_before: 1_000_000,
  cost_after: 2_000_000,
  refused: false,
};
const row = (model: string, more: Partial<BookDifference> = {}): BookDifference => ({
  vendor: 'openai',
  model,
  kind: 'changed',
  day: '2026-11-25',
  before: { rates: { input: '2', output: '10', cache_read: '1' } },
  built_in: false,
  after: { rates: { input: '3', output: '10.0', audio_prompt: '4' } },
  members: ['rates.input', 'tiers', 'context', 'can'],
  ends: '',
  offered: false,
  kept: '',
  effect: null,
  ...more,
});

test('the rates that differ are told with their share of before; another spelling of an amount is no difference', () => {
  expect(rateChanges(row('m'))).toEqual([
    { name: 'input', before: '2', after: '3', share: 0.5 },
    { name: 'cache_read', before: '1', after: undefined, share: undefined },
    { name: 'audio_prompt', before: undefined, after: '4', share: undefined },
  ]);
  expect(rateChanges(row('m', { before: { rates: { input: '0', output: '10' } } }))[0]?.share).toBeUndefined();
  expect(rateChanges(row('m', { before: null })).map(({ name }) => name)).toEqual(['input', 'output', 'audio_prompt']);
  expect([0.5, -0.333, 12.3456, 0.001].map(shareText)).toEqual(['+50%', '−33.3%', '+1,235%', '+0.1%']);
});

test('members beside the rates are named in groups, of a changed model alone', () => {
  expect(otherMembers(row('m'))).toEqual(['tiers', 'facts']);
  expect(otherMembers(row('m', { kind: 'added' }))).toEqual([]);
  expect(otherMembers(row('m', { members: ['classes.batch', 'ends'] }))).toEqual(['classes', 'ends']);
});

test('the filters tell dearer, cheaper, new, ended and affected models apart', () => {
  const rows = [
    row('dear', { effect }),
    row('cheap', { after: { rates: { input: '1', output: '10', cache_read: '1' } }, vendor: 'xai' }),
    row('fresh', { kind: 'added', before: null, offered: true }),
    row('gone', { kind: 'removed', after: null, members: [] }),
    row('ending', {
      members: ['ends'],
      ends: '2027-01-01',
      after: { rates: { input: '2', output: '10', cache_read: '1' } },
    }),
  ];
  const listed = (filter: Parameters<typeof keepOf>[0]) => rows.filter(keepOf(filter)).map(({ model }) => model);
  expect(listed({ view: 'affected' })).toEqual(['dear', 'fresh']);
  expect(listed({ view: 'dearer' })).toEqual(['dear']);
  expect(listed({ view: 'cheaper' })).toEqual(['cheap']);
  expect(listed({ view: 'new' })).toEqual(['fresh']);
  expect(listed({ view: 'gone' })).toEqual(['gone', 'ending']);
  expect(listed({ vendor: 'xai' })).toEqual(['cheap']);
  expect(listed({ q: 'OPENAI f' })).toEqual(['fresh']);
  expect(approvable(rows, {}).map(({ model }) => model)).not.toContain('gone');
  expect(approvable(rows, { view: 'gone' }).map(({ model }) => model)).toContain('gone');
});

test('totals add what customers would have paid more, without models whose calls would be refused', () => {
  const refused = { ...effect, refused: true, charge_after: 0, cost_after: null };
  const totals = totalsOf([row('a', { effect }), row('b', { effect: refused }), row('c')]);
  expect(totals).toEqual({ models: 3, calls: 8, charged: 4400, moreCharged: 1000, moreCost: 1_000_000, refused: 1 });
  expect(moreCharged({ effect: refused })).toBe(0);
});
