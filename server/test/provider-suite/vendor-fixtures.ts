import type { FailureFixture, Fixture } from './provider-suite.ts';
import { type Json, valueOfJson } from '../parsing/json.ts';
import type { Question, ReadAnswer } from '../clients/dialect-client.ts';

/** One answer before it is put into a vendor's words. */
export interface Scene {
  /** The text, as a stream brings it. */
  readonly pieces: readonly string[];
  readonly text: string;
  readonly reasoning: string;
  /** `arguments` is a JSON text. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly prompt: number;
  readonly completion: number;
  /** Of the prompt. */
  readonly cached: number;
}

const scene = (pieces: readonly string[], prompt: number, completion: number, more: Partial<Scene> = {}): Scene => ({
  pieces,
  text: pieces.join(''),
  reasoning: '',
  calls: [],
  prompt,
  completion,
  cached: 0,
  ...more,
});

const hello = scene(['Hello, ', '世界', '!'], 25, 15);
const weather = scene(['Let me check.'], 20, 12, {
  reasoning: 'need weather',
  calls: [{ id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' }],
  cached: 5,
});
const fine = scene(['{"answer"', ':"fine"}'], 9, 7);

const sceneOf = { text: hello, tools: weather, image: hello, json: fine, results: hello };

/** How a vendor puts answers, and what it must have been asked in each case; a kind that is missing it does not offer. */
export interface VendorFormat {
  /** Section of the vendor's documentation. */
  readonly source: string;
  readonly whole: (scene: Scene) => string;
  /** Absent: the vendor does not stream. */
  readonly stream?: (scene: Scene) => readonly (string | Buffer)[];
  readonly asked: { readonly text: (body: Json) => void } & Readonly<
    Partial<Record<Question['kind'], (body: Json) => void>>
  >;
  /** The vendor tells nothing of how it came to its answer. */
  readonly hidesReasoning?: true;
  /** The vendor reports no usage that is true. */
  readonly hidesUsage?: true;
}

const toldOf = (told: Scene, { hidesReasoning, hidesUsage }: VendorFormat): Omit<ReadAnswer, 'ended'> => ({
  text: told.text,
  reasoning: hidesReasoning ? '' : told.reasoning,
  calls: told.calls.map((call) => ({ ...call, arguments: valueOfJson(call.arguments) })),
  finish: told.calls.length > 0 ? 'tool_calls' : 'stop',
  usage: hidesUsage ? null : { prompt: told.prompt, completion: told.completion },
});

type Fixtures = { readonly text: Fixture } & Readonly<Partial<Record<Question['kind'], Fixture>>>;

/** What a vendor answers to each question that it offers, in its own words, after its documentation. */
export const vendorFixtures = (words: VendorFormat): Fixtures => {
  const fixture = (kind: Question['kind'], asked: (body: Json) => void): Fixture => ({
    origin: 'documentation',
    source: words.source,
    whole: words.whole(sceneOf[kind]),
    stream: words.stream?.(sceneOf[kind]) ?? [],
    told: toldOf(sceneOf[kind], words),
    asked,
  });
  const { text, tools, image, json, results } = words.asked;
  return {
    text: fixture('text', text),
    ...(tools && { tools: fixture('tools', tools) }),
    ...(image && { image: fixture('image', image) }),
    ...(json && { json: fixture('json', json) }),
    ...(results && { results: fixture('results', results) }),
  };
};

const typeOf = (status: number, code: string | number | null): string => {
  if (code === 'insufficient_quota') return code;
  if (status === 401 || status === 403) return 'upstream_authentication_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
};

/** Status and code by which a client of OpenAI's endpoint is told of a failure, and its type where the vendor has its own. */
export type ToldFailure = readonly [status: number, code: string | number | null, type?: string];

/** A failure, and what is told of it. */
export const vendorFailure = (
  failing: Omit<FailureFixture, 'name' | 'told'>,
  [status, code, type = typeOf(status, code)]: ToldFailure,
): FailureFixture => ({
  ...failing,
  name: failing.body,
  told: { status, type, code },
});
