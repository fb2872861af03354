import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateOf, nameCandidates, regionOf } from './model-names.ts';
import { readShippedBook } from './shipped-book.ts';

const names = [...new Set(readShippedBook().entries.map(({ model }) => model))];

test.each([
  ['gpt-4o', ['gpt-4o']],
  ['GPT-4o-2024-05-13', ['gpt-4o-2024-05-13', 'gpt-4o']],
  ['gpt-4.1-mini-2025-04-14', ['gpt-4.1-mini-2025-04-14', 'gpt-4-1-mini-2025-04-14', 'gpt-4.1-mini', 'gpt-4-1-mini']],
  ['gpt-35-turbo', ['gpt-35-turbo', 'gpt-3.5-turbo', 'gpt-3-5-turbo']],
  ['ft:gpt-4o-2024-08-06:acme::AbC1', ['ft:gpt-4o-2024-08-06:acme::abc1', 'ft:gpt-4o-2024-08-06', 'ft:gpt-4o']],
  ['claude-3-5-sonnet-latest', ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet']],
  ['anthropic/claude-sonnet-4.5', ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4.5', 'claude-sonnet-4-5']],
  ['claude-opus-4-5@20251101', ['claude-opus-4-5@20251101', 'claude-opus-4-5-20251101', 'claude-opus-4-5']],
  ['claude-opus-5@default', ['claude-opus-5@default', 'claude-opus-5']],
  [
    'us.anthropic.claude-3-5-sonnet-20241022-v2:0',
    [
      'us.anthropic.claude-3-5-sonnet-20241022-v2:0',
      'anthropic.claude-3-5-sonnet-20241022-v2:0',
      'claude-3-5-sonnet-20241022',
      'claude-3-5-sonnet',
    ],
  ],
  ['us-gov.openai.gpt-oss-120b-1:0', ['us-gov.openai.gpt-oss-120b-1:0', 'openai.gpt-oss-120b-1:0', 'gpt-oss-120b']],
  ['anthropic.claude-opus-4-6-v1', ['anthropic.claude-opus-4-6-v1', 'claude-opus-4-6']],
  ['amazon/nova-lite-v1', ['amazon/nova-lite-v1', 'nova-lite-v1', 'nova-lite']],
  ['deepseek.r1-v1:0', ['deepseek.r1-v1:0', 'deepseek-r1']],
  [
    '@cf/meta/llama-3.2-1b-instruct',
    ['@cf/meta/llama-3.2-1b-instruct', 'llama-3.2-1b-instruct', 'llama-3-2-1b-instruct'],
  ],
  [
    'accounts/fireworks/models/kimi-k2-instruct-0905',
    ['accounts/fireworks/models/kimi-k2-instruct-0905', 'kimi-k2-instruct-0905', 'kimi-k2-instruct'],
  ],
  ['mistral-large-2411', ['mistral-large-2411', 'mistral-large']],
  ['command-a-03-2025', ['command-a-03-2025', 'command-a']],
  ['doubao-seed-2-1-pro-260628', ['doubao-seed-2-1-pro-260628', 'doubao-seed-2-1-pro']],
  ['gemini-2.0-flash-001', ['gemini-2.0-flash-001', 'gemini-2-0-flash-001', 'gemini-2.0-flash', 'gemini-2-0-flash']],
  // Sizes, not dates.
  ['llama3-70b-8192', ['llama3-70b-8192']],
  ['moonshot-v1-128k', ['moonshot-v1-128k']],
  // Versions, not Bedrock's.
  ['text-embedding-v3', ['text-embedding-v3']],
  [
    'mistralai/mistral-7b-instruct-v0.2',
    ['mistralai/mistral-7b-instruct-v0.2', 'mistral-7b-instruct-v0.2', 'mistral-7b-instruct-v0-2'],
  ],
])('%s is looked for as %j', (model, forms) => {
  expect(nameCandidates(model)).toEqual(forms);
});

test.each([
  ['gpt-4', 'gpt-4-32k'],
  ['gpt-4', 'gpt-4.1'],
  ['gpt-4o', 'gpt-4o-mini'],
  ['o1', 'o1-mini'],
  ['o1', 'o1-preview-2024-09-12'],
  ['o3', 'o3-pro'],
  ['claude-3-5-sonnet-20241022', 'claude-3-sonnet-20240229'],
  ['claude-3-5-sonnet', 'claude-3-5-haiku'],
  ['claude-sonnet-4', 'claude-sonnet-4-5'],
  ['claude-opus-4-20250514', 'claude-opus-4-1-20250805'],
  ['gemini-2.5-flash', 'gemini-2.5-flash-lite'],
  ['gemini-2.5-flash', 'gemini-2.5-flash-image'],
  ['deepseek-v3', 'deepseek-v3.2'],
  ['qwen-max', 'qwen-plus'],
  ['amazon.titan-embed-text-v1', 'amazon.titan-embed-text-v2:0'],
  ['anthropic.claude-v2', 'anthropic.claude-v2:1'],
  ['ft:gpt-4o-2024-08-06', 'gpt-4o'],
  ['deepseek/deepseek-r1:free', 'deepseek-r1'],
])('%s and %s are never the same model', (a, b) => {
  const forms = new Set(nameCandidates(a));
  expect(nameCandidates(b).filter((form) => forms.has(form))).toEqual([]);
});

test('forms are in lower case, each once, the name itself first, and the same whatever is before the name', () => {
  const decorate = fc.record({
    name: fc.constantFrom(...names.filter((name) => !name.includes('/'))),
    path: fc.constantFrom('', 'openai/', 'accounts/some/models/', '@cf/maker/'),
    upper: fc.boolean(),
  });
  fc.assert(
    fc.property(decorate, ({ name, path, upper }) => {
      const written = `${path}${upper ? name.toUpperCase() : name}`;
      const forms = nameCandidates(written);
      expect(forms[0]).toBe(written.toLowerCase());
      expect(new Set(forms).size).toBe(forms.length);
      expect(forms.filter((form) => form !== form.toLowerCase())).toEqual([]);
      expect(forms).toEqual(expect.arrayContaining([...nameCandidates(name)]));
    }),
    { numRuns: 2000 },
  );
});

test('any text has at least one form, and none is empty', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
      const forms = nameCandidates(text);
      expect(forms.length).toBeGreaterThan(0);
      expect(forms).not.toContain('');
    }),
  );
});

test('dates order by time, those without a year before others', () => {
  const dated = ['kimi-k2-0905', 'mistral-large-2411', 'command-a-03-2025', 'gpt-5-2025-08-07', 'glm-4-7-251222'];
  expect(dated.map(dateOf)).toEqual(['0905', '202411', '202503', '20250807', '20251222']);
  expect(dated.map(dateOf).toSorted()).toEqual(dated.map(dateOf));
  expect(['gpt-4o', 'llama3-70b-8192', 'claude-3-5-sonnet-latest'].map(dateOf)).toEqual(['', '', '']);
});

test('the region of an id is that of its inference profile', () => {
  expect(['us.anthropic.claude-opus-5', 'us-gov.nvidia.x', 'anthropic.claude-opus-5', 'gpt-4.1'].map(regionOf)).toEqual(
    ['us', 'us-gov', '', ''],
  );
});
