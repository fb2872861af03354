import { describe, expect, test } from 'vitest';
import { chatClient } from '../../../test/clients/chat-client.ts';
import { responsesOnlyForm } from '../../../test/fakes/fake-responses-only.ts';
import { messagesClient } from '../../../test/clients/messages-client.ts';
import { responsesClient } from '../../../test/clients/responses-client.ts';
import { providerCall } from '../../../test/provider-suite/provider-call.ts';
import { type Bench, type ProviderCase, testProviders } from '../../../test/provider-suite/provider-suite.ts';
import {
  encrypted,
  responsesFailureEvents,
  responsesFailures,
  responsesFixtures,
} from '../../../test/provider-suite/responses-fixtures.ts';
import { azure } from '../openai-compatible/azure.ts';
import { parseBaseUrl } from '../base-url.ts';
import type { ProviderCall } from '../provider.ts';
import { isResponsesOnly } from './responses-only.ts';

describe('models without chat completions', () => {
  test.each([
    'o1-pro',
    'o1-pro-2025-03-19',
    'o3-pro',
    'gpt-5-pro',
    'gpt-5.2-pro-2025-12-11',
    'gpt-54-pro',
    'codex-mini-latest',
    'gpt-5-codex',
    'gpt-5.1-codex-max',
    'gpt-51-codex-mini',
    'o3-deep-research',
    'o4-mini-deep-research-2025-06-26',
    'computer-use-preview-2025-03-11',
  ])('PROVIDER-1 %s is one', (model) => {
    expect(isResponsesOnly(model)).toBe(true);
  });

  test.each(['o1', 'o3-mini', 'o1-preview', 'gpt-4o', 'gpt-5', 'gpt-5.1-chat-latest', 'gpt-pro', 'code-davinci-002'])(
    'PROVIDER-1 %s is none',
    (model) => {
      expect(isResponsesOnly(model)).toBe(false);
    },
  );
});

describe('responses of an Azure channel', () => {
  const pathAndModelOf = (other: string, call: Partial<ProviderCall>, base = 'https://r.openai.azure.com') => {
    const channel = { base: parseBaseUrl(base), key: 'k', other };
    const model: unknown[] = [];
    const body: ProviderCall['body'] = (changes) => {
      model.push(changes.model);
      return Buffer.from('{}');
    };
    const path = '/v1/responses';
    const request = azure.native['openai-responses']?.request(providerCall({ path, body, ...call }), channel);
    return request === undefined || 'kind' in request ? null : [request.path, ...model];
  };

  test.each([
    ['', { model: 'o3-pro' }, '/openai/responses?api-version=2025-03-01-preview', undefined],
    ['2024-10-21', { model: 'gpt-5.1-codex' }, '/openai/responses?api-version=2025-03-01-preview', 'gpt-51-codex'],
    ['2025-04-01-preview', { model: 'o3-pro' }, '/openai/responses?api-version=2025-04-01-preview', undefined],
    ['v1', { model: 'gpt-5.1-codex' }, '/openai/v1/responses', undefined],
    ['preview', { model: 'my.own', redirected: true }, '/openai/v1/responses?api-version=preview', 'my.own'],
  ])('PROVIDER-3 of version %j calls %j at %s', (other, call, path, model) => {
    expect(pathAndModelOf(other, call)).toEqual([path, model]);
  });

  test('PROVIDER-3 a deployment of any name is known by what the client calls it', () => {
    const only = azure.native['openai-chat']?.only;
    const redirected = { model: 'production', redirected: true };
    expect(only?.(providerCall({ ...redirected, requestedModel: 'o3-pro' }))).toBe(false);
    expect(only?.(providerCall({ ...redirected, requestedModel: 'o3' }))).toBe(true);
  });
});

const { text } = responsesFixtures;

/** An answer that reached its limit, in the words of the vendor. */
const cutShort = (event: string): string =>
  event
    .replace(/response\.completed/g, 'response.incomplete')
    .replace('"status":"completed","error"', '"status":"incomplete","error"')
    .replace('"incomplete_details":null', '"incomplete_details":{"reason":"max_output_tokens"}');

const also = [
  {
    title: 'RELAY-03 keeps nothing at the vendor and leaves out what its models refuse',
    run: async (bench: Bench) => {
      bench.answer(text);
      const [body] = await bench.requestsDuring(() => bench.ask({ client: chatClient, kind: 'text', stream: false }));
      expect(body).toEqual({
        model: 'o3-pro',
        instructions: 'Be brief.',
        input: [{ role: 'user', content: 'How is Paris?' }],
        max_output_tokens: 4000,
        store: false,
      });
    },
  },
  {
    title: 'RELAY-03 reports that an answer reached its limit',
    run: async (bench: Bench) => {
      const ends = { ...text, whole: cutShort(text.whole), stream: text.stream.map(String).map(cutShort) };
      bench.answer(ends);
      for (const stream of [false, true]) {
        const answer = await bench.ask({ client: chatClient, kind: 'text', stream });
        const reported = stream ? chatClient.readStream(answer.text) : chatClient.readWhole(answer.text);
        expect(reported).toMatchObject({ finish: 'length', ended: true, usage: text.expected.usage });
      }
    },
  },
  {
    title: 'RELAY-03 returns the reasoning that was requested, and takes it back with the next turn',
    run: async (bench: Bench) => {
      bench.answer(responsesFixtures.tools ?? text);
      const thinking = { thinking: { type: 'enabled', budget_tokens: 1024 } };
      const [body] = await bench.requestsDuring(async () => {
        const answer = await bench.ask({ client: messagesClient, kind: 'tools', stream: false, more: thinking });
        expect(answer.json).toMatchObject({
          content: [{ type: 'thinking', thinking: 'need weather', signature: encrypted }, { type: 'text' }, {}],
        });
      });
      expect(body).toMatchObject({
        reasoning: { effort: 'low', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
      });
      const thought = (signature: string) => ({ type: 'thinking', thinking: 'need weather', signature });
      const messages = [
        { role: 'user', content: 'How is Paris?' },
        {
          role: 'assistant',
          content: [thought(encrypted), thought('another-vendor'), { type: 'text', text: 'Mild.' }],
        },
        { role: 'user', content: 'And Rome?' },
      ];
      const [next] = await bench.requestsDuring(() =>
        bench.ask({ client: messagesClient, kind: 'text', stream: false, more: { messages } }),
      );
      expect(next?.['input']).toEqual([
        { role: 'user', content: 'How is Paris?' },
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'need weather' }],
          encrypted_content: encrypted,
        },
        { role: 'assistant', content: [{ type: 'output_text', text: 'Mild.' }] },
        { role: 'user', content: 'And Rome?' },
      ]);
    },
  },
];

const openAi: ProviderCase = {
  type: 1,
  name: 'OpenAI, models without chat completions',
  upstream: { form: responsesOnlyForm, path: /^\/v1\/responses$/ },
  model: 'o3-pro',
  clients: [chatClient, messagesClient],
  fixtures: responsesFixtures,
  failures: responsesFailures,
  failureEvents: responsesFailureEvents,
  also,
};

/** The version of the channel is older than responses are; its deployment has no dots. */
const azureCase: ProviderCase = {
  type: 3,
  name: 'Azure, models without chat completions',
  upstream: {
    form: responsesOnlyForm,
    path: /^\/openai\/responses\?api-version=2025-03-01-preview$/,
    keyHeader: 'api-key',
  },
  model: 'gpt-5.1-codex',
  clients: [chatClient, responsesClient],
  fixtures: {
    ...responsesFixtures,
    text: { ...text, checkRequest: (body) => expect(body['model']).toBe('gpt-51-codex') },
  },
  failures: [],
  failureEvents: [],
};

testProviders([openAi, azureCase]);
