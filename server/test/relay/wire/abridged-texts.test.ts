import fc from 'fast-check';
import { expect, test } from 'vitest';
import { providerCall } from '../../provider-suite/provider-call.ts';
import { unabridged } from '../../../src/conversation/abridged.ts';
import { readMessages } from '../../../src/dialects/anthropic/anthropic-messages.ts';
import type { Inbound, ReadFault } from '../../../src/dialects/dialect.ts';
import { readChat } from '../../../src/dialects/openai/openai-chat.ts';
import { anthropic } from '../../../src/providers/anthropic/anthropic.ts';
import { openAiCompatible } from '../../../src/providers/openai/openai-compatible.ts';
import type { Codec } from '../../../src/providers/provider.ts';
import { responsesCodec } from '../../../src/providers/openai/responses-codec.ts';

const channel = {
  base: { origin: 'https://api.example.com', path: '', versioned: false },
  key: 'sk-key',
  other: '',
};
const codecs = { chat: openAiCompatible().codec, anthropic: anthropic.codec, responses: responsesCodec({}) };

/** The vendor's request from the whole conversation, and from the conversation without its long texts. */
const requests = (read: (bytes: Buffer) => Inbound | ReadFault, codec: Codec | undefined, body: Buffer) => {
  const inbound = read(body);
  if (inbound.kind === 'fault' || codec === undefined) throw new Error('no call');
  const whole = inbound.conversation?.();
  const abridged = inbound.abridged?.();
  if (whole === undefined || abridged === undefined || 'kind' in whole || 'kind' in abridged) throw new Error('faults');
  return [unabridged(whole), abridged].map(({ conversation, restore }) => {
    const request = codec.request(conversation, providerCall({ conversation: () => conversation }), channel);
    if ('kind' in request) throw new Error(JSON.stringify(request));
    return { left: JSON.stringify(conversation).length, body: restore(request.body) };
  });
};

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Of the length about which texts are left out, and of letters that JSON writes in more than one way. */
const text = fc
  .tuple(
    fc.constantFrom('', ' ', '"', '\\', '\n', 'a', '/', 'é', '漢', '🙂', '\ud800', '\u2028', 'data:image/png;base64,'),
    fc.string({ unit: fc.constantFrom('"', '\\', '/', '\n', '\t', '\u0001', 'é', '漢', '🙂', '\udc00', 'a', '0') }),
    fc.constantFrom(0, 1, 4090, 4096, 9000),
    fc.constantFrom('a', 'é', '"', '\\'),
  )
  .map(([head, middle, length, letter]) => head + middle + letter.repeat(length) + middle);
const base64 = fc.constantFrom(0, 100, 5000, 20_000).map((length) => `${'iVBORw0K/+'.repeat(length / 10)}AA==`);

const chatPart = fc.oneof(
  text.map((value) => ({ type: 'text', text: value })),
  base64.map((data) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } })),
  base64.map((data) => ({ type: 'image_url', image_url: `data:image/png;charset=utf-8;base64,${data}` })),
  base64.map((data) => ({
    type: 'file',
    file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` },
  })),
);
const chatMessage = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: text }),
  fc.record({ role: fc.constant('user'), content: fc.array(chatPart, { minLength: 1, maxLength: 3 }) }),
  fc.tuple(text, text).map(([name, value]) => ({
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'f', arguments: JSON.stringify({ [name]: value }) } },
    ],
  })),
  text.map((content) => ({ role: 'tool', tool_call_id: 'call_1', content })),
);
const chatBody = fc.array(chatMessage, { minLength: 1, maxLength: 5 }).map((messages) => ({ model: 'm', messages }));

const block = fc.oneof(
  text.map((value) => ({ type: 'text', text: value })),
  base64.map((data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })),
  text.map((content) => ({ type: 'tool_result', tool_use_id: 'toolu_1', content })),
  text.map((data) => ({ type: 'document', title: 't', source: { type: 'text', media_type: 'text/plain', data } })),
);
const message = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'assistant'), content: text }),
  fc.record({ role: fc.constant('user'), content: fc.array(block, { minLength: 1, maxLength: 3 }) }),
  fc.tuple(text, text).map(([name, value]) => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: { [name]: value, text: value } }],
  })),
);
const messagesBody = fc
  .tuple(text, fc.array(message, { minLength: 1, maxLength: 5 }))
  .map(([system, messages]) => ({ model: 'm', max_tokens: 10, system, messages }));

for (const [name, codec] of Object.entries(codecs)) {
  test(`RELAY-03 unparsed texts reach a vendor of ${name} unchanged`, () => {
    const same = (read: (bytes: Buffer) => Inbound | ReadFault) => (body: object) => {
      const [whole, abridged] = requests(read, codec, json(body));
      expect(JSON.parse(String(abridged?.body))).toEqual(JSON.parse(String(whole?.body)));
    };
    fc.assert(fc.property(chatBody, same(readChat)), { numRuns: 60 });
    fc.assert(fc.property(messagesBody, same(readMessages)), { numRuns: 60 });
  });
}

test('RELAY-03 long texts and images of users are not parsed, and keep the escapes of their client', () => {
  const long = `a\\/\\u00e9\\ud83d\\ude00${'b'.repeat(10_000)}`;
  const image = `data:image/png;base64,${'A\\/'.repeat(5000)}`;
  const body = Buffer.from(
    `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"${long}"},{"type":"image_url","image_url":{"url":"${image}"}}]}]}`,
  );
  const [whole, abridged] = requests(readChat, codecs.chat, body);
  expect(abridged?.body.includes(long)).toBe(true);
  expect(abridged?.body.includes(image)).toBe(true);
  expect(whole?.body.includes(long)).toBe(false);
  expect(whole?.left).toBeGreaterThan(20_000);
  expect(abridged?.left).toBeLessThan(2000);
});
