import { anthropicFixtures } from '../provider-suite/anthropic-fixtures.ts';
import { chatFixtures } from '../provider-suite/chat-fixtures.ts';
import { chatRequestChecks } from '../provider-suite/chat-vendor-requests.ts';
import { chatAnswers } from '../provider-suite/chat-vendor-answers.ts';
import { aliFixtures, aliForm, aliPlugin } from '../fakes/vendors/fake-ali.ts';
import { anthropicForm } from '../fakes/vendors/fake-anthropic.ts';
import { qianfanForm } from '../fakes/vendors/fake-chat-vendors.ts';
import { geminiForm } from '../fakes/vendors/fake-gemini.ts';
import type { FakeUpstream, FakeUpstreamOptions } from '../fakes/fake-upstream.ts';
import { geminiFixtures } from '../provider-suite/gemini-fixtures.ts';
import type { Fixture } from '../provider-suite/provider-suite.ts';
import type { ChannelValues, RelayApp } from '../app/relay-app.ts';
import { vendorFixtures } from '../provider-suite/vendor-fixtures.ts';

const qianfanFixtures = vendorFixtures({
  source: 'Qianfan V2 API reference (provider notes 10.2)',
  ...chatAnswers({ reasoning: 'reasoning_content' }),
  checkRequest: chatRequestChecks('schema', 'images'),
});

/** Vendors that the official clients are tested with, two Chinese ones among them. */
export const clientVendors = [
  { vendor: 'Anthropic', model: 'claude-opus-4-6', fixtures: anthropicFixtures },
  { vendor: 'Gemini', model: 'gemini-2.5-flash', fixtures: geminiFixtures },
  { vendor: 'an OpenAI-compatible vendor', model: 'vendor-model', fixtures: chatFixtures },
  { vendor: 'DashScope', model: 'qwen-plus', fixtures: aliFixtures },
  { vendor: 'Baidu Qianfan', model: 'ernie-4.5-turbo-128k', fixtures: qianfanFixtures },
];

type Upstreams = ReadonlyMap<string, FakeUpstream>;

/** Starts them and adds a channel for each; resolves to the upstreams by their models. */
export const addClientVendors = async (relay: RelayApp): Promise<Upstreams> => {
  const upstreams = new Map<string, FakeUpstream>();
  const add = async (index: number, channel: ChannelValues, options?: FakeUpstreamOptions, basePath = '') => {
    const models = clientVendors[index]?.model ?? '';
    const upstream = options === undefined ? relay.upstream : await relay.addUpstream(options);
    upstreams.set(models, upstream);
    await relay.addChannel({ ...channel, models, base_url: upstream.url + basePath, key: upstream.key });
  };
  const messages = { form: anthropicForm, path: /^\/v1\/messages(\/count_tokens)?$/, keyHeader: 'x-api-key' } as const;
  await add(0, { type: 14 }, messages);
  const content = { form: geminiForm, path: /^\/v1beta\/models\/[^/]+:\w+(\?alt=sse)?$/ };
  await add(1, { type: 24 }, { ...content, keyHeader: 'x-goog-api-key' });
  await add(2, { type: 8 });
  await add(3, { type: 17, other: aliPlugin }, { form: aliForm });
  await add(4, { type: 15 }, { form: qianfanForm, path: /^\/v2\/chat\/completions$/ }, '/v2');
  return upstreams;
};

/** Answers in turn, the last one again and again. */
export const answerInTurn = (upstream: FakeUpstream | undefined, answers: readonly (Fixture | undefined)[]): void => {
  let count = 0;
  upstream?.behave(({ stream }) => {
    const fixture = answers[Math.min(count, answers.length - 1)];
    count += 1;
    if (fixture === undefined) return undefined;
    return stream ? { events: fixture.stream } : { body: fixture.whole };
  });
};
