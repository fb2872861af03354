import { awsException } from '../../test/aws-messages.ts';
import { bedrockClaudeFixtures, bedrockFailures, converseFixtures } from '../../test/bedrock-fixtures.ts';
import { cohereEvent, cohereFailures, cohereFixtures, connectorsFixtures } from '../../test/cohere-fixtures.ts';
import { bedrockForm, bedrockKey } from '../../test/fake-bedrock.ts';
import { cohereForm } from '../../test/fake-cohere.ts';
import { deeplFixtures, deeplForm, deeplKey } from '../../test/fake-deepl.ts';
import { type ProviderCase, testProviders } from '../../test/provider-suite.ts';
import { vendorFailure } from '../../test/vendor-fixtures.ts';

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
    vendorFailure({ status: 403, body: deeplBody('Forbidden') }, [403, 'invalid_api_key']),
    vendorFailure({ status: 429, body: deeplBody('Too many requests') }, [429, 'rate_limit_exceeded']),
    vendorFailure({ status: 456, body: deeplBody('Quota exceeded') }, [429, 'insufficient_quota']),
    vendorFailure({ status: 529, body: deeplBody('Too many requests') }, [503, 'upstream_error']),
  ],
  failureEvents: [],
};

testProviders([converse, bedrockClaude, cohere, connectors, deepl]);
