import { expect, test } from 'vitest';
import { namesKeptContent, namesOtherContent } from './named-content.ts';

const bodyOf = (value: unknown) => Buffer.from(JSON.stringify(value));

const kept = [
  { file: { file_id: 'file-1' } },
  { attachments: [{ file_ids: ['file-1'] }] },
  { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
  { cachedContent: 'cachedContents/1' },
  { cached_content: 'cachedContents/1' },
  { fileData: { fileUri: 'https://files.example/1' } },
  { container: 'container_1' },
  { container: { skills: [], id: 'container_1' } },
];

test.each(kept)('S5 S12 %j names what a vendor keeps, for the hold and for the bounds of a report', (value) => {
  expect([namesKeptContent(bodyOf(value)), namesOtherContent(bodyOf(value))]).toEqual([true, true]);
});

const others = [
  { previous_response_id: 'resp_1' },
  { conversation: 'conv_1' },
  { prompt: { id: 'pmpt_1' } },
  { image_url: { url: 'https://images.example/1' } },
  { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
  { tools: [{ google_search: {} }] },
  { mcp_servers: [] },
];

test.each(others)('S12 %j may make a prompt longer than its bytes, and is not held as kept content', (value) => {
  expect([namesKeptContent(bodyOf(value)), namesOtherContent(bodyOf(value))]).toEqual([false, true]);
});

test('S5 S12 what a text quotes names nothing', () => {
  const body = bodyOf({ content: JSON.stringify([...kept, ...others]) });
  expect([namesKeptContent(body), namesOtherContent(body)]).toEqual([false, false]);
});
