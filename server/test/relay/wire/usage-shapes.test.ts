import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { promptTokens, textTokens } from '../../oracles/count-tokens.ts';
import { parseObject } from '../../parsing/json.ts';
import { buildRelayApp, testPrice, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser();
});
afterAll(() => relay.close());

const output = 'Water flows — 水は流れる — over the weir.';
const messages = [
  { role: 'system', content: 'Be exact.' },
  { role: 'user', content: 'What does a weir do? 🌊' },
];
const counted = { prompt: promptTokens(messages), completion: textTokens(output) };

/** `usage` as JSON text, so that numbers arrive as they are written; null: the member is missing. */
interface Shape {
  readonly name: string;
  readonly usage: string | null;
  /** What is charged; `counted` stands for the parts that the gateway counts itself. */
  readonly prompt: number | 'counted';
  readonly completion: number | 'counted';
}

const bothCounted = { prompt: 'counted', completion: 'counted' } as const;
const parts = (prompt: string, completion: string, total = '0'): string =>
  `{"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${total}}`;

const shapes: readonly Shape[] = [
  { name: 'whole', usage: parts('11', '7', '18'), prompt: 11, completion: 7 },
  { name: 'with numbers written oddly', usage: parts('1.1e1', '7.0', '18'), prompt: 11, completion: 7 },
  { name: 'whole, with a total that does not fit', usage: parts('11', '7', '99999'), prompt: 11, completion: 7 },
  { name: 'of a long hidden reasoning', usage: parts('11', '128000'), prompt: 11, completion: 128_000 },
  { name: 'with instructions of the vendor', usage: parts('128000', '7'), prompt: 128_000, completion: 7 },
  { name: 'a total larger than the call can have caused', usage: '{"total_tokens":100000000}', ...bothCounted },
  { name: 'absent', usage: null, ...bothCounted },
  { name: 'null', usage: 'null', ...bothCounted },
  { name: 'a text', usage: '"11 and 7"', ...bothCounted },
  { name: 'a number', usage: '18', ...bothCounted },
  { name: 'a list', usage: '[11,7]', ...bothCounted },
  { name: 'an empty object', usage: '{}', ...bothCounted },
  { name: 'all zero', usage: parts('0', '0', '0'), ...bothCounted },
  { name: 'minus zero', usage: parts('-0', '-0', '-0'), ...bothCounted },
  { name: 'all negative', usage: parts('-11', '-7', '-18'), ...bothCounted },
  { name: 'fractional', usage: parts('10.5', '7.25', '17.75'), ...bothCounted },
  { name: 'huge', usage: parts('1e308', '9007199254740993', '1e308'), ...bothCounted },
  { name: 'beyond all numbers', usage: parts('1e999', '-1e999', '1e999'), ...bothCounted },
  { name: 'just above what is believed', usage: parts('100000001', '100000001'), ...bothCounted },
  { name: 'of texts', usage: parts('"11"', '"7"', '"18"'), ...bothCounted },
  { name: 'of nulls', usage: parts('null', 'null', 'null'), ...bothCounted },
  { name: 'of truth values', usage: parts('true', 'false', 'true'), ...bothCounted },
  { name: 'with a prompt of zero', usage: parts('0', '7', '7'), prompt: 'counted', completion: 7 },
  { name: 'with a negative prompt', usage: parts('-11', '7', '18'), prompt: 'counted', completion: 7 },
  {
    name: 'with a completion of zero beside an answer',
    usage: parts('11', '0', '11'),
    prompt: 11,
    completion: 'counted',
  },
  { name: 'with a negative completion', usage: parts('11', '-7', '18'), prompt: 11, completion: 'counted' },
  { name: 'with an absurd completion', usage: parts('11', '4e9', '18'), prompt: 11, completion: 'counted' },
  { name: 'without a completion', usage: '{"prompt_tokens":11,"total_tokens":31}', prompt: 11, completion: 20 },
  { name: 'with a prompt alone', usage: '{"prompt_tokens":11}', prompt: 11, completion: 'counted' },
  { name: 'with a completion alone', usage: '{"completion_tokens":7}', prompt: 'counted', completion: 7 },
  { name: 'a total alone', usage: '{"total_tokens":1000}', prompt: 'counted', completion: 1000 - counted.prompt },
  { name: 'a total smaller than the prompt', usage: '{"total_tokens":1}', ...bothCounted },
  { name: 'a negative total alone', usage: '{"total_tokens":-1000}', ...bothCounted },
];

const member = (usage: string | null): string => (usage === null ? '' : `,"usage":${usage}`);
const plain = (usage: string | null, content = output): string =>
  `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":${JSON.stringify(content)}},"finish_reason":"stop"}]${member(usage)}}`;

const event = (json: string): string => `data: ${json}\n\n`;
const delta = (content: string, usage: string | null = null, finish = 'null'): string =>
  event(
    `{"id":"c","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}},"finish_reason":${finish}}]${member(usage)}}`,
  );
const last = (usage: string | null): string => event(`{"id":"c","choices":[]${member(usage)}}`);
const done = event('[DONE]');
const halves = [output.slice(0, 16), output.slice(16)] as const;
const stream = (usage: string | null): readonly string[] => [
  delta(halves[0]),
  delta(halves[1]),
  delta('', null, '"stop"'),
  ...(usage === null ? [] : [last(usage)]),
  done,
];

const ask = async (isStream: boolean) => {
  const answer = await relay.ask({ key: user.key, body: { messages, stream: isStream } });
  expect(answer.status).toBe(200);
  expect(answer.complete).toBe(true);
  const charge = await relay.chargeOf(answer.requestId);
  const log = await relay.logOf(answer.requestId);
  const detail = parseObject(String(log?.['detail']));
  return {
    charge,
    tokens: { prompt: log?.['prompt_tokens'], completion: log?.['completion_tokens'] },
    quota: log?.['quota'],
    flagged: detail['estimated'] === true,
  };
};

const expected = (prompt: number | 'counted', completion: number | 'counted') => {
  const tokens = {
    prompt: prompt === 'counted' ? counted.prompt : prompt,
    completion: completion === 'counted' ? counted.completion : completion,
  };
  const estimated = prompt === 'counted' || completion === 'counted';
  const amount = testPrice(tokens);
  return { charge: { amount, estimated: estimated ? 1 : 0 }, tokens, quota: amount, flagged: estimated };
};

describe('usage that is', () => {
  for (const { name, usage, prompt, completion } of shapes) {
    test(`RELAY-07 ${name} charges a plain answer with what is believed of it, and counts the rest`, async () => {
      relay.upstream.behave(() => ({ body: plain(usage) }));
      expect(await ask(false)).toEqual(expected(prompt, completion));
    });

    test(`RELAY-07 ${name} charges a stream with what is believed of it, and counts the rest`, async () => {
      relay.upstream.behave(() => ({ events: stream(usage) }));
      expect(await ask(true)).toEqual(expected(prompt, completion));
    });
  }
});

describe('usage of a stream', () => {
  const streams: readonly (readonly [string, readonly string[], Pick<Shape, 'prompt' | 'completion'>])[] = [
    [
      'repeated in two chunks counts once',
      [delta(output, null, '"stop"'), last(parts('11', '7')), last(parts('11', '7')), done],
      { prompt: 11, completion: 7 },
    ],
    [
      'that grows from chunk to chunk counts as it was at the end',
      [
        delta(halves[0], parts('11', '3')),
        delta(halves[1], parts('11', '6')),
        delta('', parts('11', '7'), '"stop"'),
        done,
      ],
      { prompt: 11, completion: 7 },
    ],
    [
      'in the first choice counts',
      [
        delta(output),
        event(`{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":${parts('11', '7')}}]}`),
        done,
      ],
      { prompt: 11, completion: 7 },
    ],
    [
      'of null in every chunk but the last counts as the last says',
      [delta(halves[0], 'null'), delta(halves[1], 'null', '"stop"'), last(parts('11', '7')), done],
      { prompt: 11, completion: 7 },
    ],
    [
      'of null behind the real one changes nothing',
      [delta(output, parts('11', '7'), '"stop"'), last('null'), done],
      { prompt: 11, completion: 7 },
    ],
    ['behind which nothing comes counts', [delta(output, parts('11', '7'), '"stop"')], { prompt: 11, completion: 7 }],
  ];
  for (const [name, events, { prompt, completion }] of streams) {
    test(`RELAY-07 ${name}`, async () => {
      relay.upstream.behave(() => ({ events }));
      expect(await ask(true)).toEqual(expected(prompt, completion));
    });
  }
});

describe('without usage', () => {
  test('RELAY-07 everything that a model puts out is counted: reasoning, refusals, calls of tools', async () => {
    const call = { index: 0, id: 'x', function: { name: 'measure_level', arguments: '{"river":"Aare"}' } };
    const deltas = [
      { reasoning_content: 'Let me think about weirs.' },
      { content: 'A weir.' },
      { refusal: 'No.' },
      { tool_calls: [call] },
    ];
    const chunk = (one: object, finish: string | null) =>
      event(JSON.stringify({ id: 'c', choices: [{ index: 0, delta: one, finish_reason: finish }] }));
    relay.upstream.behave(() => ({ events: [...deltas.map((one) => chunk(one, null)), chunk({}, 'stop'), done] }));
    const text = 'Let me think about weirs.A weir.No.measure_level{"river":"Aare"}';
    const { charge } = await ask(true);
    expect(charge).toEqual({
      amount: testPrice({ prompt: counted.prompt, completion: textTokens(text) }),
      estimated: 1,
    });
  });

  test('RELAY-07 an answer of several choices is counted with all of them', async () => {
    const choice = (index: number) => ({
      index,
      message: { role: 'assistant', content: output },
      finish_reason: 'stop',
    });
    relay.upstream.behave(() => ({ body: JSON.stringify({ choices: [choice(0), choice(1), choice(2)] }) }));
    const { tokens } = await ask(false);
    expect(tokens.completion).toBe(textTokens(output.repeat(3)));
  });

  test('RELAY-07 a completion of zero is believed where nothing was put out', async () => {
    relay.upstream.behave(() => ({ body: plain(parts('11', '0', '11'), '') }));
    expect((await ask(false)).charge).toEqual({ amount: 11, estimated: 0 });
    relay.upstream.behave(() => ({ events: [delta('', null, '"stop"'), last(parts('11', '0', '11')), done] }));
    expect((await ask(true)).charge).toEqual({ amount: 11, estimated: 0 });
  });

  test('RELAY-07 bytes are taken for tokens where counting is switched off', async () => {
    await relay.setOption('ApproximateTokenEnabled', 'true');
    relay.upstream.behave(() => ({ body: plain(null) }));
    const { tokens, charge } = await ask(false);
    expect(tokens.completion).toBe(Math.trunc(Buffer.byteLength(output) * 0.38));
    expect(charge?.estimated).toBe(1);
    await relay.setOption('ApproximateTokenEnabled', 'false');
  });
});

test('RELAY-07 ledger, clients and upstream agree after all of this', async () => {
  expect(await relay.disagreements()).toEqual([]);
});
