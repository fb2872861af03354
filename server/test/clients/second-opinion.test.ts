import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatClient } from './chat-client.ts';
import { geminiClient } from './gemini-client.ts';
import { messagesClient } from './messages-client.ts';
import { buildRelayApp, type RelayApp } from '../app/relay-app.ts';
import { responsesClient } from './responses-client.ts';

/** A third-party mock of the vendors: it finds errors in our own fakes. */
let mock: LLMock;
let relay: RelayApp;
let key = '';

const vendors = [
  { vendor: 'OpenAI', type: 1, model: 'gpt-4o' },
  { vendor: 'Anthropic', type: 14, model: 'claude-sonnet-4-5' },
  { vendor: 'Gemini', type: 24, model: 'gemini-2.5-flash' },
  { vendor: 'Ollama', type: 30, model: 'llama3' },
] as const;

beforeAll(async () => {
  mock = new LLMock({ port: 0 });
  mock.onMessage('How is Paris?', { content: 'Paris is mild and dry.' });
  await mock.start();
  relay = await buildRelayApp();
  ({ key } = await relay.addUser());
  for (const { type, model } of vendors) await relay.addChannel({ type, models: model, base_url: mock.url, key: 'k' });
});
afterAll(async () => {
  await relay.close();
  await mock.stop();
});

const clients = [chatClient, messagesClient, responsesClient, geminiClient];
const pairs = vendors
  .flatMap((vendor) => clients.map((client) => ({ ...vendor, client, name: client.name })))
  // Responses of OpenAI go on byte for byte, and this one does not number its events as the vendor does.
  .filter(({ type, client }) => type !== 1 || client !== responsesClient);

describe.each(pairs)("RELAY-03 aimock's $vendor by $name", ({ client, model }) => {
  test.each([false, true])('RELAY-03 answers, streamed: %s', async (stream) => {
    const question = { kind: 'text', model, stream } as const;
    const answer = await relay.ask({ key, path: client.path(question), body: JSON.stringify(client.body(question)) });
    expect(answer.status, answer.text).toBe(200);
    const read = stream ? client.readStream(answer.text) : client.readWhole(answer.text);
    expect(read).toMatchObject({ text: 'Paris is mild and dry.', finish: 'stop', ended: true });
    // It reports no usage, or none but zeros: then the tokens are counted here.
    const charge = await relay.chargeOf(answer.requestId);
    expect(charge?.amount).toBeGreaterThan(0);
  });
});
