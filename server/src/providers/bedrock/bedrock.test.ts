import { expect, test } from 'vitest';
import { ask, channel, sentRequest } from '../../../test/provider-suite/codec-probe.ts';
import { bedrock } from './bedrock.ts';
import { bedrockModel } from './bedrock-models.ts';

const headersOf = (key: string, other = ''): Readonly<Record<string, string>> => {
  const { headers } = sentRequest(bedrock, { model: 'amazon.nova-lite-v1:0', channel: channel(key, other) });
  return Object.fromEntries(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [])));
};

test('PROVIDER-33 calls the region of its key, or the one of the channel’s `other`', () => {
  const urlOf = (key: string, other = '', model = 'amazon.nova-lite-v1:0') => {
    const { origin, path } = sentRequest(bedrock, {
      model,
      stream: true,
      channel: { ...channel(key, other), base: null },
    });
    return origin + path;
  };
  const path = '/model/amazon.nova-lite-v1%3A0/converse-stream';
  expect(urlOf('AK|SK|us-east-1')).toBe(`https://bedrock-runtime.us-east-1.amazonaws.com${path}`);
  expect(urlOf('AK|SK|us-east-1', 'eu-west-3')).toBe(`https://bedrock-runtime.eu-west-3.amazonaws.com${path}`);
  expect(urlOf('AK|SK|cn-north-1')).toBe(`https://bedrock-runtime.cn-north-1.amazonaws.com.cn${path}`);
  expect(urlOf('ABSK-key|us-gov-west-1')).toContain('bedrock-runtime.us-gov-west-1.amazonaws.com/');
  expect(urlOf('AK|SK|us-east-1', '', 'claude-3-opus-20240229')).toContain(
    '/model/anthropic.claude-3-opus-20240229-v1%3A0/invoke-with-response-stream',
  );
  for (const key of ['', 'AK', 'AK|SK', 'AK|SK|', '|SK|us-east-1', 'AK|SK|evil.example/us-east-1', 'A|B|us-east-1|T|x'])
    expect(ask(bedrock, { channel: channel(key) }), key).toMatchObject({ kind: 'fault' });
});

test('PROVIDER-33 signs with keys, and shows a key of the service as it is', () => {
  const signed = headersOf('AKIDEXAMPLE|SECRET|us-east-1|TOKEN');
  expect(signed['authorization']).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20260921\/us-east-1\/bedrock\//);
  expect(signed['authorization']).toContain('SignedHeaders=content-type;host;x-amz-date;x-amz-security-token,');
  expect(signed).toMatchObject({ 'x-amz-date': '20260921T141320Z', 'x-amz-security-token': 'TOKEN' });
  expect(JSON.stringify(signed)).not.toContain('SECRET');
  expect(headersOf('ABSK-key|us-east-1')).toEqual({
    'content-type': 'application/json',
    authorization: 'Bearer ABSK-key',
  });
});

test('PROVIDER-33 knows models by the names that they have elsewhere', () => {
  const names = [
    'claude-instant-1.2',
    'claude-2.1',
    'claude-3-haiku-20240307',
    'claude-3-5-sonnet-latest',
    'llama3-70b-8192',
  ];
  expect(names.map((name) => bedrockModel(name, 'us-east-1'))).toEqual([
    'anthropic.claude-instant-v1',
    'anthropic.claude-v2:1',
    'anthropic.claude-3-haiku-20240307-v1:0',
    'anthropic.claude-3-5-sonnet-20241022-v2:0',
    'meta.llama3-70b-instruct-v1:0',
  ]);
  const later = 'claude-sonnet-4-5-20250929';
  expect(['us-west-2', 'eu-west-1', 'ap-south-1'].map((region) => bedrockModel(later, region))).toEqual([
    `us.anthropic.${later}-v1:0`,
    `eu.anthropic.${later}-v1:0`,
    `global.anthropic.${later}-v1:0`,
  ]);
  const own = 'arn:aws:bedrock:us-east-1:1:inference-profile/x';
  expect(bedrockModel(own, 'us-east-1')).toBe(own);
});

test('PROVIDER-33 describes tools that were called, and lets neighbours of one role be one message', () => {
  const { body } = sentRequest(bedrock, {
    model: 'meta.llama4',
    channel: channel('AK|SK|us-east-1'),
    conversation: {
      turns: [
        { role: 'user', parts: [{ kind: 'text', text: 'One' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'Two' }] },
        { role: 'assistant', parts: [{ kind: 'tool_call', id: 'c', name: 'now', arguments: '' }] },
        { role: 'tool', callId: 'c', name: 'now', parts: [{ kind: 'text', text: 'noon' }], isError: true },
      ],
    },
  });
  expect(body).toMatchObject({
    messages: [
      { role: 'user', content: [{ text: 'One' }, { text: 'Two' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'c', name: 'now', input: {} } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'c', content: [{ text: 'noon' }], status: 'error' } }] },
    ],
    toolConfig: { tools: [{ toolSpec: { name: 'now' } }] },
  });
});
