import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';
import { messagesClient } from '../../../test/clients/messages-client.ts';
import type { FakeUpstream } from '../../../test/fakes/fake-upstream.ts';
import { awsEvent } from '../../../test/fakes/vendors/aws-messages.ts';
import { bedrockForm, bedrockKey } from '../../../test/fakes/vendors/fake-bedrock.ts';
import { createFakeVertex } from '../../../test/fakes/vendors/fake-vertex.ts';
import { eventData } from '../../../test/parsing/event-data.ts';
import { parseObject } from '../../../test/parsing/json.ts';
import { anthropicFixtures } from '../../../test/provider-suite/anthropic-fixtures.ts';

const models = { 33: 'claude-sonnet-4-5-20250929', 42: 'claude-sonnet-4-5@20250929' } as const;

let relay: RelayApp;
let key: string;
let upstreams: Readonly<Record<33 | 42, FakeUpstream>>;

beforeAll(async () => {
  relay = await buildRelayApp();
  const bedrock = await relay.addUpstream({ form: bedrockForm, path: /^\/model\//, key: bedrockKey });
  const vertex = await relay.addUpstream(await createFakeVertex().start());
  upstreams = { 33: bedrock, 42: vertex };
  for (const type of [33, 42] as const)
    await relay.addChannel({ type, base_url: upstreams[type].url, key: upstreams[type].key, models: models[type] });
  ({ key } = await relay.addUser());
});
afterAll(() => relay.close());

/** What an agent of Anthropic's sends: members, tools and betas that have no neutral form. */
const agentBody = {
  max_tokens: 1000,
  metadata: { user_id: 'agent' },
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  tools: [
    { type: 'bash_20250124', name: 'bash' },
    { type: 'computer_20250124', name: 'computer', display_width_px: 1024, display_height_px: 768 },
  ],
  messages: [{ role: 'user', content: 'How is Paris?' }],
};
const betas = 'claude-code-20250219,context-management-2025-06-27,computer-use-2025-01-24';

const streamOf = (type: 33 | 42) => {
  const { stream } = anthropicFixtures.text;
  if (type === 42) return stream;
  return stream.flatMap((event) =>
    eventData(String(event)).map((data) => awsEvent('chunk', { bytes: Buffer.from(data).toString('base64') })),
  );
};

const askAgent = (type: 33 | 42, stream: boolean, body: object = agentBody) =>
  relay.ask({
    key,
    path: '/v1/messages',
    headers: { 'anthropic-beta': betas },
    body: JSON.stringify({ model: models[type], stream, ...body }),
  });

describe.each([33, 42] as const)('type %i', (type) => {
  test(`R20 PROVIDER-${type} reads the account from the config, where One API has it`, async () => {
    const [first = '', second = '', third = ''] = upstreams[type].key.split('|');
    const config =
      type === 33
        ? { ak: first, sk: second, region: third }
        : { region: first, vertex_ai_project_id: second, vertex_ai_adc: third };
    const model = `claude-configured-${type}`;
    const model_mapping = JSON.stringify({ [model]: models[type] });
    const base_url = upstreams[type].url;
    const channel = { type, base_url, key: 'none', models: model, model_mapping, config: JSON.stringify(config) };
    await relay.addChannel(channel);
    upstreams[type].behave(() => ({ body: anthropicFixtures.text.whole }));
    const answer = await askAgent(type, false, { ...agentBody, model });
    expect(answer.status, answer.text).toBe(200);
  });

  test(`R24 PROVIDER-${type} passes members, tools and betas of Anthropic's own clients on`, async () => {
    const upstream = upstreams[type];
    upstream.behave((request) =>
      request.stream ? { events: streamOf(type) } : { body: anthropicFixtures.text.whole },
    );
    for (const stream of [false, true]) {
      const answer = await askAgent(type, stream);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers['content-type']).toMatch(stream ? /^text\/event-stream/ : /^application\/json/);
      if (stream) expect(messagesClient.readStream(answer.text).ended).toBe(true);
      else expect(answer.text).toBe(anthropicFixtures.text.whole);
      expect(await relay.chargeOf(answer.requestId)).toMatchObject({ estimated: 0 });
      const sent = parseObject(upstream.journal().at(-1)?.body.toString() ?? '');
      const { context_management, tools, messages } = agentBody;
      expect(sent).toMatchObject({ context_management, tools, messages });
    }
  });

  test(`R24 PROVIDER-${type} answers by the neutral form where content is named by its address`, async () => {
    const source = { type: 'url', url: 'http://127.0.0.1:9/a.png' };
    const messages = [{ role: 'user', content: [{ type: 'image', source }] }];
    const answer = await askAgent(type, false, { max_tokens: 9, messages });
    expect([answer.status, answer.text]).toMatchObject([400, expect.stringContaining('could not fetch')]);
  });
});
