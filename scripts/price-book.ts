/**
 * Makes the price book that the program is shipped with, from a list of prices and limits:
 *
 *     npm run price-book -- <facts.json> [--name 2026-11] [--to <book.json>]
 *
 * The list is an input and not in the repository: the prices of a public community list, each model with the vendor's page
 * that it was read from. The book has one line for each model, sorted, so that an edition reads as a diff. docs/price-book.md
 * describes the rules; the output says how many rows each of them left out.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BookEntry, priceBookSchema } from '@weir/contract/prices/price-book';
import * as v from 'valibot';
import { readPrice } from './list-price.ts';
import { root } from './steps/root.mjs';

const prices = v.optional(v.record(v.string(), v.number()));
const fact = v.object({
  id: v.string(),
  provider: v.string(),
  mode: v.nullable(v.string()),
  usd_per_million_tokens: prices,
  usd_per_unit: prices,
  context: v.optional(v.number()),
  max_output: v.optional(v.number()),
  ends: v.optional(v.string()),
  can: v.optional(v.array(v.string())),
  source: v.optional(v.string()),
});
const factsSchema = v.object({ models: v.array(fact) });
type Fact = v.InferOutput<typeof fact>;

/** The list's names of vendors, where they are not those of the catalogue. */
const vendorNames: Readonly<Record<string, string>> = {
  'text-completion-openai': 'openai',
  'vertex_ai-language-models': 'vertex',
  'vertex_ai-anthropic_models': 'vertex',
  bedrock_converse: 'bedrock',
  codestral: 'mistral',
  dashscope: 'alibaba',
  zai: 'zhipu',
  together_ai: 'together',
  cohere_chat: 'cohere',
  fireworks_ai: 'fireworks',
  jina_ai: 'jina',
};

const modes: Readonly<Record<string, BookEntry['mode']>> = {
  chat: 'chat',
  responses: 'chat',
  completion: 'chat',
  embedding: 'embedding',
  image_generation: 'image',
  image_edit: 'image',
  audio_transcription: 'transcription',
  audio_speech: 'speech',
  rerank: 'rerank',
  realtime: 'realtime',
  moderation: 'moderation',
  video_generation: 'video',
};

/** Rows of the list that name no model: commitments, sizes of pictures, classes of models by their size, searches. */
const noModels: readonly (readonly [string, RegExp])[] = [
  ['of commitments', /\/\d+-month-commitment\//],
  ['of picture sizes', /(?:^|\/)(?:\d+|max)-x-(?:\d+|max)\//],
  ['of size classes', /^(?:fireworks|together)-ai-/],
  ['of searches', /^search$/],
  ['of ways to call', /^invoke\//],
];
/** A region before the name: of Azure and Bedrock, which call the model by its name alone. */
const region = /^(?:global-standard|global|eu|us-gov|us|apac|[a-z]{2}(?:-gov)?-[a-z]+-\d)\//;

/**
 * Rows that contradict the vendor's own page. Cohere's light embedding models cost the same; the list has the price of a
 * token as that of a thousand.
 */
const wrongRows: ReadonlySet<string> = new Set(['cohere embed-multilingual-light-v3.0']);

/** A model that costs other than its name without the date, and that the list lacks. */
const added: readonly Fact[] = [
  {
    id: 'gpt-4o-2024-05-13',
    provider: 'openai',
    mode: 'chat',
    usd_per_million_tokens: { input: 5, output: 15, input_batch: 2.5, output_batch: 7.5 },
    context: 128_000,
    max_output: 4096,
    can: ['tools', 'vision'],
    source: 'https://developers.openai.com/api/docs/pricing',
  },
];

/** Models that the vendor states to be free; a price of 0 alone means that the list does not know it. */
const freeModels: ReadonlySet<string> = new Set([
  // "The moderations endpoint is free to use", platform.openai.com/docs/guides/moderation
  'openai omni-moderation-2024-09-26',
  'openai omni-moderation-latest',
  // "Free", docs.z.ai/guides/overview/pricing
  'zhipu glm-4.5-flash',
  'zhipu glm-4.7-flash',
]);
const free = { rates: { input: '0', output: '0' } };

interface Row extends BookEntry {
  /** Whether the list has it for a region only. */
  readonly regional: boolean;
}

const toRow = (row: Fact, from: string): Row => {
  const vendor = vendorNames[row.provider] ?? row.provider;
  const model = row.id
    .replace(/^vertex_ai\//, '')
    .replace(vendor === 'azure' || vendor === 'bedrock' ? region : '', '');
  const mode = modes[row.mode ?? ''] ?? 'other';
  const judges = row.mode === 'evaluation' || row.mode === 'extraction';
  const name = `${vendor} ${model}`;
  const listed = wrongRows.has(name) ? undefined : readPrice(row, { mode, judges });
  const price = listed ?? (freeModels.has(name) ? free : undefined);
  const entry = v.parse(priceBookSchema.entries.entries.item, {
    vendor,
    model,
    mode,
    ...(price === undefined ? {} : { price }),
    from,
    ...(row.source === undefined ? {} : { source: row.source }),
    ...((row.context ?? 0) > 0 ? { context: row.context } : {}),
    ...((row.max_output ?? 0) > 0 ? { output: row.max_output } : {}),
    ...(row.can === undefined ? {} : { can: row.can }),
    ...(row.ends === undefined ? {} : { ends: row.ends }),
  });
  return { ...entry, regional: model !== row.id.replace(/^vertex_ai\//, '') };
};

const worth = (text: string | undefined): number => Number(text ?? 0);

/** Of two rows of a model: the one for all regions, then the dearer one, then the one that states more. */
const compare = (a: Row, b: Row): number =>
  Number(a.regional) - Number(b.regional) ||
  Number(a.price === undefined) - Number(b.price === undefined) ||
  worth(b.price?.rates?.input) - worth(a.price?.rates?.input) ||
  worth(b.price?.rates?.output) - worth(a.price?.rates?.output) ||
  JSON.stringify(b).length - JSON.stringify(a).length;

const byName = (a: BookEntry, b: BookEntry): number =>
  Number(a.vendor > b.vendor) - Number(a.vendor < b.vendor) || Number(a.model > b.model) - Number(a.model < b.model);

/** The entries of a book, sorted, and what was left out by which rule. */
const readFacts = (facts: readonly Fact[], from: string) => {
  const leftOut = new Map<string, number>();
  const leave = (why: string): void => void leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
  const rows = new Map<string, Row[]>();
  const listed = new Set(facts.map(({ provider, id }) => `${provider} ${id}`));
  const lacking = added.filter(({ provider, id }) => !listed.has(`${provider} ${id}`));
  for (const row of [...facts, ...lacking]) {
    const reason = noModels.find(([, pattern]) => pattern.test(row.id));
    if (reason !== undefined) {
      leave(`rows ${reason[0]}`);
      continue;
    }
    const read = toRow(row, from);
    const key = `${read.vendor} ${read.model}`;
    rows.set(key, [...(rows.get(key) ?? []), read]);
  }
  const entries = [...rows.values()].flatMap((same): BookEntry[] => {
    const [kept, ...others] = same.toSorted(compare);
    if (kept === undefined) return [];
    for (const { regional } of others) leave(regional ? 'rows of a region beside others' : 'second rows of a model');
    const { regional, ...entry } = kept;
    if (regional) leave('regions before a name (row kept)');
    if (entry.price === undefined) leave('prices that the list does not know (row kept)');
    return [entry];
  });
  return { entries: entries.toSorted(byName), leftOut };
};

const main = (): void => {
  const { values, positionals } = parseArgs({
    options: { name: { type: 'string', default: '2026-11' }, to: { type: 'string' } },
    allowPositionals: true,
  });
  const [factsFile] = positionals;
  if (factsFile === undefined || !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(values.name)) {
    throw new Error('npm run price-book -- <facts.json> [--name YYYY-MM] [--to <book.json>]');
  }
  const { models } = v.parse(factsSchema, JSON.parse(readFileSync(factsFile, 'utf8')));
  const { entries, leftOut } = readFacts(models, `${values.name}-01`);
  const book = v.parse(priceBookSchema, { name: values.name, entries });
  const lines = book.entries.map((entry) => JSON.stringify(entry)).join(',\n');
  const to = values.to ?? join(root, 'server/src/billing/price/book/price-book.json');
  writeFileSync(to, `{"name":${JSON.stringify(book.name)},"entries":[\n${lines}\n]}\n`);
  console.log(
    `${models.length} rows, ${book.entries.length} models of ${new Set(entries.map(({ vendor }) => vendor)).size} vendors`,
  );
  for (const [why, count] of leftOut) console.log(`${String(count).padStart(6)} ${why}`);
};

main();
