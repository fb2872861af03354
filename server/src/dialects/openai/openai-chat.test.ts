import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJson, parseObject } from '../../../test/parsing/json.ts';
import type { BodyChanges } from '../../conversation/body-changes.ts';
import type { Inbound } from '../dialect.ts';
import { readChat } from './openai-chat.ts';

const read = (body: unknown) => readChat(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));

const chat = (body: unknown): Inbound => {
  const result = read(body);
  if (result.kind === 'fault') throw new Error(result.message);
  return result;
};

const messages = [{ role: 'user', content: 'hi "model":"trap" {"stream":true}' }];

describe('readChat', () => {
  test('RELAY-01 reads only what the gateway acts on', () => {
    expect(
      chat({ model: 'm', messages, stream: true, stream_options: { x: 1, include_usage: true }, n: 2, max_tokens: 7 }),
    ).toMatchObject({
      model: 'm',
      stream: true,
      includeUsage: true,
      outputLimit: 7,
      choices: 2,
    });
    expect(chat({ model: 'm', messages, max_tokens: null, n: null, stream: null })).toMatchObject({
      stream: false,
      outputLimit: null,
      choices: 1,
      includeUsage: false,
    });
    expect(chat({ model: 'm', messages, max_tokens: 0 }).outputLimit).toBeNull();
    expect(chat({ model: 'm', messages, max_tokens: 9, max_completion_tokens: 5 }).outputLimit).toBe(5);
    expect(chat({ model: 'm', messages, stream: true, stream_options: { include_usage: false } }).includeUsage).toBe(
      false,
    );
    expect(chat({ model: 'm', messages, stream_options: { include_usage: true } }).includeUsage).toBe(false);
  });

  test.each([
    ['{', 'the body is not valid JSON'],
    ['[]', 'the body must be a JSON object'],
    ['{"model":"a","model":"b"}', 'duplicate member model'],
    [`{"model":"a","messages":${'['.repeat(90)}`, 'the body is nested deeper than 64 levels'],
    [{ messages }, 'model is required'],
    [{ model: '', messages }, 'model is required'],
    [{ model: 7, messages }, 'model must be a string'],
    [{ model: ['a'], messages }, 'model must be a string'],
    [{ model: 'x'.repeat(300), messages }, 'model is too long'],
    [{ model: 'm' }, 'field messages is required'],
    [{ model: 'm', messages: 'hi' }, 'messages must be a list'],
    [{ model: 'm', messages, stream: 'yes' }, 'stream must be a boolean'],
    [{ model: 'm', messages, max_tokens: -1 }, 'max_tokens is invalid'],
    [{ model: 'm', messages, max_tokens: 2 ** 30 }, 'max_tokens is invalid'],
    [{ model: 'm', messages, max_completion_tokens: 1.5 }, 'max_tokens is invalid'],
    ['{"model":"m","messages":[],"max_tokens":1e308}', 'max_tokens is invalid'],
    [{ model: 'm', messages, max_tokens: '5' }, 'max_tokens is invalid'],
    [{ model: 'm', messages, n: 0 }, 'n is invalid'],
    [{ model: 'm', messages, n: -3 }, 'n is invalid'],
    [{ model: 'm', messages, n: 2 ** 53 }, 'n is invalid'],
    [{ model: 'm', messages, n: {} }, 'n is invalid'],
  ])('refuses %j: %s', (body, message) => expect(read(body)).toMatchObject({ kind: 'fault', message }));

  test('inline images do not count as prompt bytes', () => {
    const image = 'A'.repeat(100_000);
    const body = {
      model: 'm',
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } }] },
      ],
    };
    expect(chat(body).promptBytes).toBeLessThan(400);
  });
});

const body = fc.record(
  {
    model: fc.string({ minLength: 1, maxLength: 20 }),
    messages: fc.array(
      fc.oneof(
        fc.jsonValue(),
        fc.record(
          { role: fc.constantFrom('system', 'user'), content: fc.jsonValue(), name: fc.string() },
          { requiredKeys: ['role'] },
        ),
      ),
    ),
    stream: fc.boolean(),
    stream_options: fc.oneof(
      fc.constant(null),
      fc.record({ include_usage: fc.boolean(), other: fc.jsonValue() }, { requiredKeys: [] }),
    ),
    max_tokens: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 1000 })),
    max_completion_tokens: fc.integer({ min: 0, max: 1000 }),
    temperature: fc.double({ noNaN: true, noDefaultInfinity: true }),
    '\ud83d\ude00 unknown': fc.jsonValue(),
  },
  { requiredKeys: ['model', 'messages'] },
);

const changes: fc.Arbitrary<BodyChanges> = fc.record(
  {
    model: fc.string({ minLength: 1, unit: 'grapheme' }),
    includeUsage: fc.constant(true as const),
    systemPrompt: fc.string({ unit: 'grapheme' }),
    outputLimit: fc.record({
      tokens: fc.integer({ min: 1, max: 99 }),
      member: fc.constantFrom('max_tokens' as const, 'max_completion_tokens' as const),
    }),
  },
  { requiredKeys: [] },
);

/** What the edits mean, written on the built object. */
const expected = (object: Record<string, unknown>, change: BodyChanges): Record<string, unknown> => {
  const result = { ...object };
  if (change.model !== undefined) result['model'] = change.model;
  if (change.includeUsage)
    result['stream_options'] = {
      ...(Object(result['stream_options']) === result['stream_options'] ? Object(result['stream_options']) : {}),
      include_usage: true,
    };
  if (change.systemPrompt !== undefined) {
    const given: readonly unknown[] = Array.isArray(object['messages']) ? object['messages'] : [];
    const [first, ...rest] = given;
    const replaces = isJson(first) && first['role'] === 'system' && 'content' in first;
    const system = { role: 'system', content: change.systemPrompt };
    result['messages'] = replaces ? [{ ...first, content: change.systemPrompt }, ...rest] : [system, ...given];
  }
  if (change.outputLimit) {
    const given = ['max_tokens', 'max_completion_tokens'].filter((name) => name in object);
    for (const name of given.length === 0 ? [change.outputLimit.member] : given)
      result[name] = change.outputLimit.tokens;
  }
  return result;
};

describe('edit', () => {
  test('RELAY-01 changes what it has to change and nothing else', () => {
    fc.assert(
      fc.property(body, changes, fc.constantFrom(0, 1, 4), (object, change, indent) => {
        const text = JSON.stringify(object, null, indent);
        const edited = chat(text).edit(change).toString();
        expect(JSON.parse(edited)).toEqual(expected(parseObject(text), change));
      }),
      { numRuns: 1000 },
    );
  });

  test('RELAY-01 without a change the very same bytes go on, odd spellings included', () => {
    const text = '{ "mod\\u0065l" : "m", "big": 12345678901234567890, "f": 1.10, "messages":[] ,"u":"\\u00e9"}\n';
    const request = chat(text);
    expect(request.edit({})).toBe(request.bytes);
    expect(request.edit({ model: 'n' }).toString()).toBe(text.replace('"m"', '"n"'));
  });
});
