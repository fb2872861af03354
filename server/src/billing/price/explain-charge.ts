import { type Charge, chargedPriceSchema, type chargeRules, type tokenSources } from '@weir/contract/prices/charges';
import * as v from 'valibot';
import { isChargedPart, readPartRatios, sideOf } from './usage-parts.ts';
import { add, multiply, ratio, ratioToText, readExact, roundUp, type Ratio } from './ratio.ts';

/** The log row of a request that was charged. */
export interface ChargedRow {
  readonly id: number;
  readonly request_id: string;
  readonly created_at: number;
  readonly model_name: string;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly detail: string;
}

/** Its ledger entry. */
export interface ChargeEntry {
  readonly amount: number;
  readonly unrecovered: number;
  readonly price_version: number;
  readonly estimated: number;
  readonly reason: string;
}

type Step = Charge['steps'][number];
type Part = Charge['parts'][number];
type Rule = (typeof chargeRules)[number];
type Source = (typeof tokenSources)[number];

const source = v.picklist(['reported', 'unreported', 'implausible', 'cut_short'] satisfies Source[]);

/**
 * The details that the relay writes with a charge (`relay/call/consume-log.ts`). Every member may be missing: rows may
 * be older than it.
 */
const detailSchema = v.object({
  ratios: v.optional(v.object({ model: v.string(), completion: v.string(), group: v.string() })),
  part_ratios: v.optional(v.record(v.string(), v.string()), {}),
  parts: v.optional(v.record(v.string(), v.number()), {}),
  free_prompt: v.optional(v.boolean(), false),
  price: v.optional(chargedPriceSchema),
  price_version: v.optional(v.number(), 0),
  model_unpriced: v.optional(v.boolean(), false),
  group_unpriced: v.optional(v.boolean(), false),
  held: v.optional(v.number()),
  reserved: v.optional(v.number()),
  extensions: v.optional(v.number(), 0),
  attempts: v.optional(v.array(v.object({ channel: v.number(), status: v.number(), ms: v.number() })), []),
  estimated: v.optional(v.boolean(), false),
  counted: v.optional(v.object({ prompt: v.optional(source), completion: v.optional(source) }), {}),
  images: v.optional(v.object({ count: v.number(), thousandths: v.number() })),
  requested_model: v.optional(v.string()),
  output_cap: v.optional(v.number()),
  queued: v.optional(v.number(), 0),
  cut: v.optional(v.string(), ''),
});
type Detail = v.InferOutput<typeof detailSchema>;

const readDetail = (text: string): Detail => {
  try {
    const result = v.safeParse(detailSchema, JSON.parse(text));
    if (result.success) return result.output;
  } catch {
    // A row without a readable detail has only its amount.
  }
  return v.parse(detailSchema, {});
};

interface Ratios {
  readonly model: Ratio;
  readonly completion: Ratio;
  readonly group: Ratio;
}

const readRatios = ({ ratios }: Detail): Ratios | null => {
  if (ratios === undefined) return null;
  const [model, completion, group] = [ratios.model, ratios.completion, ratios.group].map(readExact);
  return model && completion && group ? { model, completion, group } : null;
};

const nothing = ratio(0n, 1n);
const largest = BigInt(Number.MAX_SAFE_INTEGER);

/** Parts of the prompt and of the completion that have a ratio of their own. */
const partsApart = ({ parts, part_ratios: texts }: Detail, completion: Ratio) => {
  const ratios = readPartRatios(texts);
  return Object.entries(parts).flatMap(([part, tokens]) => {
    const own = isChargedPart(part) ? ratios[part] : undefined;
    if (own === undefined || !isChargedPart(part)) return [];
    const weight = sideOf(part) === 'prompt' ? own : multiply(completion, own);
    return [{ part, tokens, weight, source: undefined }];
  });
};

/** Images have a price in thousandths of the model's ratio, and no tokens in their row. */
const pricedImages = ({ images }: Detail): number => (images === undefined ? 0 : images.count * images.thousandths);

/** The parts of the sum, exactly. */
const partsOf = (row: ChargedRow, { model, completion, group }: Ratios, detail: Detail) => {
  const rate = multiply(model, group);
  const { counted } = detail;
  const images = pricedImages(detail);
  const apart = partsApart(detail, completion);
  const within = (side: string) =>
    apart.reduce((sum, { part, tokens }) => (isChargedPart(part) && sideOf(part) === side ? sum + tokens : sum), 0);
  const prompt = row.prompt_tokens - within('prompt');
  const rest = row.completion_tokens - within('completion');
  const plain = detail.free_prompt ? nothing : ratio(1n, 1n);
  const priced = [
    { part: 'prompt', tokens: prompt, weight: plain, source: counted.prompt },
    { part: 'completion', tokens: rest, weight: completion, source: counted.completion },
    ...apart,
    ...(images === 0 ? [] : [{ part: 'images', tokens: images, weight: plain, source: undefined }]),
  ];
  return priced.map(({ part, tokens, weight, source: counting }) => {
    const exactAmount = multiply(multiply(rate, weight), ratio(BigInt(tokens), 1n));
    const shown: Part = {
      part,
      tokens,
      weight: ratioToText(weight),
      amount: ratioToText(exactAmount),
      source: counting ?? 'reported',
    };
    return { shown, exactAmount };
  });
};

/** From the exact sum to what the tokens cost. */
const priceSteps = (sum: Ratio, { tokens, rate }: { readonly tokens: number; readonly rate: Ratio }): Step[] => {
  const whole = roundUp(sum);
  if (whole > largest) return [{ rule: 'at_most', quota: Number.MAX_SAFE_INTEGER }];
  const rounded: Step = { rule: 'round_up', quota: Number(whole < -largest ? -largest : whole) };
  if (rate.times === 0n || tokens === 0) return [rounded, { rule: 'free', quota: 0 }];
  return whole < 1n ? [rounded, { rule: 'at_least_one', quota: 1 }] : [rounded];
};

/** The steps from the price to the charge. */
const paymentSteps = (price: number, detail: Detail, unrecovered: number): Step[] => {
  const { cut, held } = detail;
  const covered = cut === 'balance' && held !== undefined ? Math.min(price, held) : price;
  const steps: Step[] = covered < price ? [{ rule: 'covered', quota: covered }] : [];
  return unrecovered > 0 ? [...steps, { rule: 'collected', quota: covered - unrecovered }] : steps;
};

const onlyRecorded = (row: ChargedRow, entry: ChargeEntry | undefined): Step[] => {
  const rule: Rule = entry?.reason === 'recovered' ? 'checkpoint' : 'recorded';
  if (entry === undefined || entry.unrecovered === 0) return [{ rule, quota: row.quota }];
  return [
    { rule, quota: entry.amount + entry.unrecovered },
    { rule: 'collected', quota: entry.amount },
  ];
};

const holdOf = ({ held, reserved, extensions }: Detail, quota: number): Charge['hold'] => {
  if (held === undefined) return null;
  const first = reserved ?? held;
  const returned = Math.max(0, held - quota);
  return { reserved: first, extensions, extended: held - first, returned, beyond: Math.max(0, quota - held) };
};

/**
 * Does the arithmetic of a charge again from what was stored with it: exact fractions, without the code that priced the
 * call, so that the two check each other. `entry` is missing where the ledger has no charge of the request.
 */
export const explainCharge = (row: ChargedRow, entry: ChargeEntry | undefined): Charge => {
  const detail = readDetail(row.detail);
  const ratios = readRatios(detail);
  const parts = ratios === null ? [] : partsOf(row, ratios, detail);
  const sum = parts.reduce((total, { exactAmount }) => add(total, exactAmount), nothing);
  const tokens = row.prompt_tokens + row.completion_tokens + pricedImages(detail);
  const unrecovered = entry?.unrecovered ?? 0;
  const price =
    ratios === null
      ? onlyRecorded(row, entry)
      : priceSteps(sum, { tokens, rate: multiply(ratios.model, ratios.group) });
  const steps = ratios === null ? price : [...price, ...paymentSteps(price.at(-1)?.quota ?? 0, detail, unrecovered)];
  return {
    log_id: row.id,
    request_id: row.request_id,
    created_at: row.created_at,
    model_name: row.model_name,
    requested_model: detail.requested_model ?? row.model_name,
    quota: row.quota,
    ratios: ratios === null ? null : (detail.ratios ?? null),
    price: detail.price ?? null,
    free_prompt: detail.free_prompt,
    model_priced: !detail.model_unpriced,
    group_priced: !detail.group_unpriced,
    price_version: entry?.price_version ?? detail.price_version,
    parts: parts.map(({ shown }) => shown),
    sum: ratios === null ? null : ratioToText(sum),
    steps,
    explained: steps.at(-1)?.quota === row.quota && (entry === undefined || entry.amount === row.quota),
    hold: holdOf(detail, row.quota),
    unrecovered,
    estimated: entry === undefined ? detail.estimated : entry.estimated === 1,
    output_cap: detail.output_cap ?? null,
    queued_ms: detail.queued,
    cut: detail.cut,
    attempts: detail.attempts,
  };
};
