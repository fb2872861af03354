import { vendors } from '@weir/contract/catalogue/vendors';
import { expect, test } from 'vitest';
import { vendorsOfChannelType } from './channel-vendors.ts';
import { readShippedBook } from './shipped-book.ts';

test('a channel pays the list of its vendor, Azure and compatible addresses those of the makers, relays none', () => {
  expect([1, 3, 14, 33, 42, 49, 51].map(vendorsOfChannelType)).toEqual([
    ['openai'],
    ['azure', 'openai'],
    ['anthropic'],
    ['bedrock'],
    ['vertex'],
    ['alibaba'],
    ['gemini'],
  ]);
  expect([8, 20, 30, 43, 44, 50, 9999].flatMap(vendorsOfChannelType)).toEqual([]);
});

test('every vendor of the book with a channel type of its own is reached by that type', () => {
  const listed = new Set(readShippedBook().entries.map(({ vendor }) => vendor));
  const lost = Object.entries(vendors).filter(
    ([name, { id }]) => listed.has(name) !== vendorsOfChannelType(id).includes(name),
  );
  // The book has Tencent's other service, which a channel of Hunyuan does not reach.
  expect(lost.map(([name]) => name)).toEqual(['tencent']);
});
