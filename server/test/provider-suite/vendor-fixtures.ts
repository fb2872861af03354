import type { FailureFixture, Fixture } from './provider-suite.ts';
import { type Json, valueOfJson } from '../parsing/json.ts';
import type { Question, ReadAnswer } from '../clients/dialect-client.ts';

/** One answer, before it is put into a vendor's format. */
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

/** A vendor's answer format, and the request check of each kind of question; a missing kind is not supported. */
export interface VendorFormat {
  /** Section of the vendor's documentation. */
  readonly source: string;
  readonly whole: (scene: Scene) => string;
  /** Absent: the vendor does not stream. */
  readonly stream?: (scene: Scene) => readonly (string | Buffer)[];
  readonly checkRequest: { readonly text: (body: Json) => void } & Readonly<
    Partial<Record<Question['kind'], (body: Json) => void>>
  >;
  /** The vendor sends no reasoning. */
  readonly hidesReasoning?: true;
  /** The vendor reports no correct usage. */
  readonly hidesUsage?: true;
}

const expectedOf = (answer: Scene, { hidesReasoning, hidesUsage }: VendorFormat): Omit<ReadAnswer, 'ended'> => ({
  text: answer.text,
  reasoning: hidesReasoning ? '' : answer.reasoning,
  calls: answer.calls.map((call) => ({ ...call, arguments: valueOfJson(call.arguments) })),
  finish: answer.calls.length > 0 ? 'tool_calls' : 'stop',
  usage: hidesUsage ? null : { prompt: answer.prompt, completion: answer.completion },
});

type Fixtures = { readonly text: Fixture } & Readonly<Partial<Record<Question['kind'], Fixture>>>;

/** A vendor's answers to each supported kind of question, in its documented format. */
export const vendorFixtures = (words: VendorFormat): Fixtures => {
  const fixture = (kind: Question['kind'], request: (body: Json) => void): Fixture => ({
    origin: 'documentation',
    source: words.source,
    whole: words.whole(sceneOf[kind]),
    stream: words.stream?.(sceneOf[kind]) ?? [],
    expected: expectedOf(sceneOf[kind], words),
    checkRequest: request,
  });
  const { text, tools, image, json, results } = words.checkRequest;
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

/** Status and code of the error that a client of OpenAI's endpoint gets, and its type if the vendor has its own. */
export type ExpectedFailure = readonly [status: number, code: string | number | null, type?: string];

/** A failure, and the error that the client gets. */
export const vendorFailure = (
  failing: Omit<FailureFixture, 'name' | 'expected'>,
  [status, code, type = typeOf(status, code)]: ExpectedFailure,
): FailureFixture => ({
  ...failing,
  name: failing.body,
  expected: { status, type, code },
});
