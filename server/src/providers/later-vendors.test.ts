import { expect } from 'vitest';
import { anthropicEvent, anthropicFixtures } from '../../test/provider-suite/anthropic-fixtures.ts';
import { awsException } from '../../test/fakes/vendors/aws-messages.ts';
import {
  bedrockClaudeFixtures,
  bedrockFailures,
  converseFixtures,
} from '../../test/provider-suite/bedrock-fixtures.ts';
import { chatClient } from '../../test/clients/chat-client.ts';
import {
  cohereEvent,
  cohereFailures,
  cohereFixtures,
  connectorsFixtures,
} from '../../test/provider-suite/cohere-fixtures.ts';
import { cozeEvent, cozeFailures, cozeFixtures, cozeForm } from '../../test/fakes/vendors/fake-coze.ts';
import { bedrockForm, bedrockKey } from '../../test/fakes/vendors/fake-bedrock.ts';
import { cohereForm } from '../../test/fakes/vendors/fake-cohere.ts';
import { deeplFixtures, deeplForm, deeplKey } from '../../test/fakes/vendors/fake-deepl.ts';
import { createFakeVertex } from '../../test/fakes/vendors/fake-vertex.ts';
import { geminiFixtures } from '../../test/provider-suite/gemini-fixtures.ts';
import { type ProviderCase, testProviders } from '../../test/provider-suite/provider-suite.ts';
import {
  replicateFailureEvents,
  replicateFailures,
  replicateFixtures,
  replicateForm,
} from '../../test/provider-suite/replicate-fixtures.ts';
import { vendorFailure } from '../../test/provider-suite/vendor-fixtures.ts';

const bedrock = { form: bedrockForm, path: /^\/model\//, key: bedrockKey };
const converse: ProviderCase = {
  type: 33,
  name: 'AWS Bedrock, Converse',
  upstream: bedrock,
  model: 'amazon.nova-pro-v1:0',
  fixtures: converseFixtures,
  failures: bedrockFailures,
  failureEvents: [
    awsException('throttlingException', 'Too many tokens'),
    awsException('modelStreamErrorException', 'broken'),
    // One bit is wrong.
    ...converseFixtures.text.stream.slice(2, 3).map((event) => Buffer.from(event).fill(0xff, 40, 41)),
  ],
};
const bedrockClaude: ProviderCase = {
  type: 33,
  name: 'AWS Bedrock, Claude',
  upstream: bedrock,
  model: 'claude-sonnet-4-5-20250929',
  fixtures: bedrockClaudeFixtures,
  optionalEnd: 1,
  failures: [],
  failureEvents: [awsException('internalServerException', 'try again')],
};

const cohere: ProviderCase = {
  type: 35,
  name: 'Cohere',
  upstream: { form: cohereForm, path: /^\/v2\/chat$/ },
  model: 'command-a-03-2025',
  fixtures: cohereFixtures,
  failures: cohereFailures,
  failureEvents: [cohereEvent('message-end', { delta: { error: 'server overloaded', finish_reason: 'ERROR' } })],
};

const connectors: ProviderCase = {
  type: 35,
  name: 'Cohere, models that search the web',
  upstream: { form: cohereForm, path: /^\/v1\/chat$/ },
  basePath: '/v1',
  model: 'aya-expanse-internet',
  fixtures: connectorsFixtures,
  failures: [],
  failureEvents: [],
};

const deeplBody = (message: string) => JSON.stringify({ message });
const deepl: ProviderCase = {
  type: 38,
  name: 'DeepL',
  upstream: { form: deeplForm, path: /^\/v2\/translate$/, key: deeplKey },
  model: 'deepl-zh',
  fixtures: deeplFixtures,
  failures: [
    vendorFailure({ status: 403, body: deeplBody('Forbidden') }, [401, 'invalid_api_key']),
    vendorFailure({ status: 429, body: deeplBody('Too many requests') }, [429, 'rate_limit_exceeded']),
    vendorFailure({ status: 456, body: deeplBody('Quota exceeded') }, [429, 'insufficient_quota']),
    vendorFailure({ status: 529, body: deeplBody('Too many requests') }, [503, 'upstream_error']),
  ],
  failureEvents: [],
};

const coze: ProviderCase = {
  type: 34,
  name: 'Coze',
  upstream: { form: cozeForm, path: /^\/v3\/chat$/ },
  channel: { other: 'weir-1' },
  model: 'bot-73428668',
  fixtures: cozeFixtures,
  optionalEnd: 1,
  failures: cozeFailures,
  failureEvents: [
    cozeEvent('conversation.chat.failed', { id: '6', status: 'failed', last_error: { code: 5000, msg: 'no' } }),
    cozeEvent('conversation.chat.requires_action', { id: '6', status: 'requires_action' }),
    cozeEvent('error', { code: 4013, msg: 'slow down' }),
  ],
};

const vertex = createFakeVertex();
const vertexGemini: ProviderCase = {
  type: 42,
  name: 'Vertex AI, Gemini',
  upstream: vertex.start,
  model: 'gemini-2.5-flash-001',
  fixtures: geminiFixtures,
  failures: [
    vendorFailure(
      { status: 403, body: JSON.stringify({ error: { code: 403, message: 'no', status: 'PERMISSION_DENIED' } }) },
      [403, 'permission_denied'],
    ),
  ],
  failureEvents: ['data: {"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}\r\n\r\n'],
  also: [
    {
      title: 'keeps the token of its account, and takes a new one when it is refused',
      run: async ({ ask, answer }) => {
        answer(geminiFixtures.text);
        const before = vertex.given();
        for (const stream of [false, true]) {
          vertex.expire();
          expect((await ask({ client: chatClient, kind: 'text', stream })).status).toBe(200);
        }
        expect((await ask({ client: chatClient, kind: 'text', stream: false })).status).toBe(200);
        expect(vertex.given()).toBe(before + 2);
      },
    },
  ],
};
const vertexClaude: ProviderCase = {
  type: 42,
  name: 'Vertex AI, Claude',
  upstream: createFakeVertex().start,
  model: 'claude-sonnet-4-5@20250929',
  fixtures: anthropicFixtures,
  optionalEnd: 1,
  failures: [],
  failureEvents: [anthropicEvent({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })],
};

const replicate: ProviderCase = {
  type: 46,
  name: 'Replicate',
  upstream: { form: replicateForm, path: /^\/v1\/models\/meta\/llama-4\/predictions$/ },
  basePath: '/v1/models',
  model: 'meta/llama-4',
  fixtures: replicateFixtures,
  failures: replicateFailures,
  failureEvents: replicateFailureEvents,
};

testProviders([coze, replicate, vertexGemini, vertexClaude, converse, bedrockClaude, cohere, connectors, deepl]);
