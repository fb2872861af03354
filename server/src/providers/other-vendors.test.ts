import { expect } from 'vitest';
import { chatRequestChecks } from '../../test/provider-suite/chat-vendor-requests.ts';
import { chatEvent, chatAnswers } from '../../test/provider-suite/chat-vendor-answers.ts';
import { chatClient } from '../../test/clients/chat-client.ts';
import {
  libraryFailureEvent,
  libraryFailures,
  libraryFixtures,
  libraryForm,
  libraryId,
} from '../../test/fakes/vendors/fake-ai-proxy-library.ts';
import {
  ollamaFailureEvent,
  ollamaFailures,
  ollamaFixtures,
  ollamaForm,
} from '../../test/fakes/vendors/fake-ollama.ts';
import { palmFailures, palmFixtures, palmForm } from '../../test/fakes/vendors/fake-palm.ts';
import { type FailureFixture, type ProviderCase, testProviders } from '../../test/provider-suite/provider-suite.ts';
import { type ExpectedFailure, vendorFailure, vendorFixtures } from '../../test/provider-suite/vendor-fixtures.ts';

const ollama: ProviderCase = {
  type: 30,
  name: 'Ollama',
  upstream: { form: ollamaForm },
  model: 'llama3',
  fixtures: ollamaFixtures,
  failures: ollamaFailures,
  failureEvents: [ollamaFailureEvent],
};

const palm: ProviderCase = {
  type: 11,
  name: 'Google PaLM 2',
  upstream: { form: palmForm, keyHeader: 'x-goog-api-key' },
  model: 'PaLM-2',
  fixtures: palmFixtures,
  failures: palmFailures,
  failureEvents: [],
};

const library: ProviderCase = {
  type: 21,
  name: 'AI Proxy knowledge base',
  upstream: { form: libraryForm },
  channel: { other: libraryId },
  model: 'some-library',
  fixtures: libraryFixtures,
  failures: libraryFailures,
  failureEvents: [libraryFailureEvent],
};

const appFailure = (status: number, code: number, expected: ExpectedFailure): FailureFixture => {
  const body = JSON.stringify({ code, statusText: 'unAuthApiKey', message: `as expected by ${code}`, data: null });
  return vendorFailure({ status, body }, expected);
};

const { text, image } = chatRequestChecks('words', 'images');
/** Its figures are placeholders, and what it calls and how it answers is its own matter. */
const appFixtures = vendorFixtures({
  source: 'doc.fastgpt.in, OpenAPI (provider notes 14.1 and 21.1)',
  hidesUsage: true,
  ...chatAnswers({ usage: 'last chunk' }),
  checkRequest: { text, ...(image && { image }) },
});

const flowEvents = [
  'event: flowNodeStatus\ndata: {"status":"running","name":"AI"}\n\n',
  ...appFixtures.text.stream.map((event) => `event: answer\n${event.toString()}`),
  'event: flowResponses\ndata: [{"moduleType":"chatNode","tokens":4}]\n\n',
];

const fastGpt: ProviderCase = {
  type: 22,
  name: 'FastGPT',
  upstream: { path: /^\/api\/v1\/chat\/completions$/, key: 'fastgpt-key-app' },
  basePath: '/api',
  model: 'some-app',
  fixtures: appFixtures,
  optionalEnd: 1,
  failures: [
    appFailure(500, 514, [401, 'unAuthApiKey']),
    appFailure(200, 403, [401, 'unAuthApiKey']),
    appFailure(200, 500, [502, 'unAuthApiKey']),
  ],
  failureEvents: [`event: error\n${chatEvent({ message: 'the flow fell over' })}`],
  also: [
    {
      title: 'passes on what a client that asks for the steps of a flow is expected of them',
      run: async ({ ask, behave }) => {
        behave({ events: flowEvents });
        const answer = await ask({ client: chatClient, kind: 'text', stream: true });
        expect(answer.text).toBe(flowEvents.slice(0, -1).join(''));
        expect(answer.complete).toBe(true);
      },
    },
  ],
};

testProviders([ollama, palm, library, fastGpt]);
