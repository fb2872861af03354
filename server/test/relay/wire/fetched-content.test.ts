import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { providerCall } from '../../provider-suite/provider-call.ts';
import { parseObject } from '../../parsing/json.ts';
import { abridgedChat, chatConversation } from '../../../src/dialects/openai/openai-chat-conversation.ts';
import { parseBaseUrl } from '../../../src/providers/base-url.ts';
import { geminiCodec } from '../../../src/providers/google/gemini.ts';
import { relayLimits } from '../../../src/relay/limits.ts';
import { createMemoryBudget } from '../../../src/relay/memory/memory-budget.ts';
import { createAddressGuard } from '../../../src/relay/upstream/address-guard.ts';
import { createPrerequisiteLoader } from '../../../src/relay/upstream/prerequisite-loader.ts';
import { createUpstream } from '../../../src/relay/upstream/upstream.ts';

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(5_000_001, 'z')]);
const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(png));
const upstream = createUpstream({ guard: createAddressGuard('allow'), limits: relayLimits });
let origin = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(async () => {
  await upstream.close();
  server.closeAllConnections();
  server.close();
});

test('S2 fetched pictures are put into the request for Gemini as bytes, whole and in their places', async () => {
  const inline = `data:image/png;base64,${Buffer.alloc(30_000, 'i').toString('base64')}`;
  const content = [
    { type: 'text', text: 'Compare.' },
    { type: 'image_url', image_url: { url: `${origin}/a.png` } },
    { type: 'image_url', image_url: { url: inline } },
    { type: 'image_url', image_url: { url: `${origin}/b.png` } },
  ];
  const bytes = Buffer.from(JSON.stringify({ model: 'gemini-2.5-pro', messages: [{ role: 'user', content }] }));
  const call = providerCall({
    model: 'gemini-2.5-pro',
    conversation: () => {
      const read = chatConversation(bytes);
      if ('kind' in read) throw new Error(read.message);
      return read;
    },
    abridged: () => {
      const read = abridgedChat(bytes);
      if ('kind' in read) throw new Error(read.message);
      return read;
    },
  });
  const channel = { base: parseBaseUrl('https://gemini.example'), key: 'key', other: '' };
  const size = 1024 * 1024 * 1024;
  const memory = createMemoryBudget({ callMax: size, userMax: size, processMax: size });
  const loader = createPrerequisiteLoader({ upstream, content: upstream, limits: relayLimits, clock: Date });
  const loaded = await loader.load({
    call,
    channel,
    client: null,
    contents: { memory: memory.open(1), byAddress: new Map() },
    prerequisites: geminiCodec.prerequisites ?? {},
  });
  if (loaded.kind !== 'loaded') throw new Error(loaded.kind);
  const abridged = loaded.call.abridged();
  if ('kind' in abridged) throw new Error('refused');
  const request = geminiCodec.request(abridged.conversation, loaded.call, channel);
  if ('kind' in request) throw new Error(request.kind);
  // What the codec writes is short: the pictures are put into it afterwards.
  expect(request.body.length).toBeLessThan(5000);
  const fetched = { inlineData: { mimeType: 'image/png', data: png.toString('base64') } };
  expect(parseObject(abridged.restore(request.body).toString())).toMatchObject({
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'Compare.' },
          fetched,
          { inlineData: { mimeType: 'image/png', data: inline.slice('data:image/png;base64,'.length) } },
          fetched,
        ],
      },
    ],
  });
  expect(memory.held()).toBe(2 * Math.ceil(png.length / 3) * 4);
});
