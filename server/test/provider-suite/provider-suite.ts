import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatClient } from '../clients/chat-client.ts';
import type { Behaviour, FakeUpstream, FakeUpstreamOptions } from '../fakes/fake-upstream.ts';
import { geminiClient } from '../clients/gemini-client.ts';
import { parseObject, type Json } from '../parsing/json.ts';
import { messagesClient } from '../clients/messages-client.ts';
import type { RawAnswer } from '../clients/raw-client.ts';
import { buildRelayApp, testPrice, type ChannelValues, type RelayApp } from '../app/relay-app.ts';
import { responsesClient } from '../clients/responses-client.ts';
import type { DialectClient, Question, ReadAnswer } from '../clients/dialect-client.ts';

/** A vendor's answer to one question, and the result that a client must read from it. */
export interface Fixture {
  /** Its source: the vendor's documentation, or a recording of the vendor's service. */
  readonly origin: 'documentation' | 'recording';
  /** Section or address. */
  readonly source: string;
  readonly whole: string;
  /** Events as sent, terminators included; none: the vendor does not stream. */
  readonly stream: readonly (string | Buffer)[];
  /** `usage` null: the vendor reports none, and it is counted. */
  readonly expected: Omit<ReadAnswer, 'ended'>;
  /** Throws unless the vendor got the right request. */
  readonly checkRequest?: (body: Json) => void;
}

/** A failure of the vendor, and the error that the client of an OpenAI endpoint gets. */
export interface FailureFixture {
  readonly name: string;
  readonly status: number;
  readonly body: string;
  /** The event that reports it in a stream; absent: the body is the answer. */
  readonly event?: string;
  readonly expected: { readonly status: number; readonly type: string; readonly code: string | number | null };
}

export interface ProviderCase {
  /** Channel type; its acceptance row is `PROVIDER-type`. */
  readonly type: number;
  readonly name: string;
  readonly upstream: FakeUpstreamOptions | (() => Promise<FakeUpstream>);
  readonly channel?: ChannelValues;
  /** Of the channel's address, behind that of the upstream. */
  readonly basePath?: string;
  /** Unique among the cases of a file. */
  readonly model: string;
  /** Dialects to test; absent: all. */
  readonly clients?: readonly DialectClient[];
  /** Absent: the vendor does not offer it. */
  readonly fixtures: { readonly text: Fixture } & Readonly<Partial<Record<Question['kind'], Fixture>>>;
  readonly failures: readonly FailureFixture[];
  /** Events that end a stream with a failure instead of an end. */
  readonly failureEvents: readonly (string | Buffer)[];
  /** How many of the last events of a text stream are not needed for a complete one. */
  readonly optionalEnd?: number;
  /** Extra tests for this vendor. */
  readonly also?: readonly { readonly title: string; readonly run: (bench: Bench) => Promise<void> }[];
}

const everyClient: readonly DialectClient[] = [chatClient, messagesClient, responsesClient, geminiClient];

interface BenchRequest {
  readonly client: DialectClient;
  readonly kind: Question['kind'];
  readonly stream: boolean;
  /** Members of the body beside those of every such question, or instead of them. */
  readonly more?: object;
}

/** One channel of the type under test. */
const createBench = (provider: ProviderCase, relayOf: () => RelayApp) => {
  const { type, upstream: options, channel, basePath = '', model, fixtures } = provider;
  let upstream: FakeUpstream;
  let key = '';
  let channelId = 0;
  return {
    start: async () => {
      const relay = relayOf();
      upstream = await relay.addUpstream(typeof options === 'function' ? await options() : options);
      ({ key } = await relay.addUser());
      const base_url = upstream.url + basePath;
      channelId = await relay.addChannel({ type, base_url, key: upstream.key, models: model, ...channel });
    },
    ask: ({ client, more, ...question }: BenchRequest) =>
      relayOf().ask({
        key,
        path: client.path({ ...question, model }),
        body: JSON.stringify({ ...client.body({ ...question, model }), ...more }),
      }),
    answer: ({ whole, stream }: Fixture, behaviour: Behaviour = {}) =>
      upstream.behave((request) => ({
        ...(request.stream && stream.length > 0 ? { events: stream } : { body: whole }),
        ...behaviour,
      })),
    behave: (behaviour: Behaviour) => upstream.behave(() => behaviour),
    /** One behaviour for each of the next requests. */
    behaveInTurn: (behaviours: readonly Behaviour[]) => {
      const rest = [...behaviours];
      upstream.behave(() => rest.shift());
    },
    /** The requests that the upstream got while `ask` ran. */
    requestsDuring: async (ask: () => Promise<unknown>): Promise<readonly Json[]> => {
      const before = upstream.journal().length;
      await ask();
      return upstream
        .journal()
        .slice(before)
        .map((entry) => parseObject(entry.body.toString()));
    },
    chargeOf: (id: string) => relayOf().chargeOf(id),
    testChannel: async () => {
      upstream.behave((chat) => (chat.stream ? { events: fixtures.text.stream } : { body: fixtures.text.whole }));
      const { root } = relayOf();
      return (await root.call('GET', `/api/channel/test/${channelId}`)).json;
    },
  };
};

export type Bench = ReturnType<typeof createBench>;

/** Removes call ids, which the gateway may generate. Readers assert that each call has one. */
const understood = (expected: Fixture['expected']) => ({
  ...expected,
  calls: expected.calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
  ended: true,
});

/** The comparable part of a client's answer; without a usage from the vendor, the usage is an estimate. */
const read = (client: DialectClient, stream: boolean, text: string, { usage }: Fixture['expected']) => {
  const answer = stream ? client.readStream(text) : client.readWhole(text);
  expect(answer.calls.every(({ id }) => id !== '')).toBe(true);
  const calls = answer.calls.map(({ name, arguments: given }) => ({ name, arguments: given }));
  return { ...answer, calls, usage: usage === null ? null : answer.usage };
};

const answersWell = async (bench: Bench, request: BenchRequest, { expected }: Fixture) => {
  const { client, stream } = request;
  const title = `${client.name}, stream: ${stream}`;
  const answer = await bench.ask(request);
  expect(answer.status, `${title}: ${answer.text}`).toBe(200);
  expect(answer.complete, title).toBe(true);
  expect(read(client, stream, answer.text, expected), title).toEqual(understood(expected));
  const charge = await bench.chargeOf(answer.requestId);
  if (expected.usage !== null)
    return expect(charge, title).toEqual({ amount: testPrice(expected.usage), estimated: 0 });
  expect(charge, title).toMatchObject({ estimated: 1 });
  // The client sees what was counted for it.
  const shown = stream ? client.readStream(answer.text) : client.readWhole(answer.text);
  expect(shown.usage?.completion, title).toBeGreaterThan(0);
  expect(charge?.amount, title).toBeGreaterThan(0);
};

const inEach = (clients: readonly DialectClient[], kind: Question['kind'], streams: readonly boolean[]) =>
  clients.flatMap((client) => streams.map((stream): BenchRequest => ({ client, kind, stream })));

/** A stream that ends too early is incomplete in every dialect, and costs no more than a whole one. */
const looksCut = async (
  bench: Bench,
  client: DialectClient,
  { expected }: Fixture,
  answer: RawAnswer,
  cleanly: boolean,
) => {
  if (answer.status !== 200) return;
  const received = client.readStream(answer.text.replace(/event: error\n/, ''));
  expect(received.ended, client.name).toBe(false);
  if (!cleanly) expect(answer.complete, client.name).toBe(false);
  expect(expected.text.startsWith(received.text), client.name).toBe(true);
  const charge = await bench.chargeOf(answer.requestId);
  const complete = testPrice(expected.usage ?? { prompt: 0, completion: 0 });
  if (expected.usage !== null) expect(charge?.amount ?? 0).toBeLessThanOrEqual(complete * 2 + 40);
};

const testCuts = (bench: Bench, clients: readonly DialectClient[], provider: ProviderCase, id: string) => {
  const { text } = provider.fixtures;
  const { stream } = text;
  const all = async (behaviours: readonly Behaviour[], cleanly: boolean) => {
    for (const client of clients) {
      bench.behaveInTurn(behaviours);
      const pending = behaviours.map(() => bench.ask({ client, kind: 'text', stream: true }));
      for (const answer of await Promise.all(pending)) await looksCut(bench, client, text, answer, cleanly);
    }
  };

  if (stream.length === 0) return;
  test(`${id} S1 rejects a stream that was cut after any event, or ended early`, async () => {
    expect.hasAssertions();
    const sent = stream.map((_, events) =>
      stream.slice(0, events).reduce((sum, event) => sum + Buffer.byteLength(event), 0),
    );
    await all(
      sent.map((bytes) => ({ events: stream, cutAfterBytes: Math.max(1, bytes) })),
      false,
    );
    const ends = stream
      .slice(provider.optionalEnd ?? 0)
      .map((_, endAfterEvents) => ({ events: stream, endAfterEvents }));
    await all(ends, true);
  });

  if (provider.failureEvents.length === 0) return;
  test(`${id} a failure within a stream leaves it incomplete`, async () => {
    expect.hasAssertions();
    const contentBegan = stream.slice(0, Math.ceil(stream.length / 2));
    await all(
      provider.failureEvents.map((event) => ({ events: [...contentBegan, event] })),
      true,
    );
  });
};

const testFixtures = (bench: Bench, clients: readonly DialectClient[], { fixtures }: ProviderCase, id: string) => {
  for (const [kind, fixture] of Object.entries(fixtures)) {
    if (!isQuestionKind(kind)) continue;
    const counted = fixture.expected.usage === null ? ' R46' : '';
    test(`${id}${counted} RELAY-03 answers a question of kind ${kind} in every dialect, whole and streamed (${fixture.origin})`, async () => {
      expect.hasAssertions();
      bench.answer(fixture);
      const requests = await bench.requestsDuring(() =>
        Promise.all(inEach(clients, kind, [false, true]).map((one) => answersWell(bench, one, fixture))),
      );
      for (const body of requests) fixture.checkRequest?.(body);
    });
  }

  test(`${id} RELAY-03 reads answers that come byte by byte`, async () => {
    expect.hasAssertions();
    const [kind, fixture] =
      fixtures.tools === undefined ? (['text', fixtures.text] as const) : (['tools', fixtures.tools] as const);
    bench.answer(fixture, { pieceBytes: 1 });
    await Promise.all(inEach(clients.slice(0, 2), kind, [true]).map((one) => answersWell(bench, one, fixture)));
  });

  if (fixtures.image === undefined) {
    test(`${id} refuses images, which the vendor does not support`, async () => {
      for (const request of inEach(clients.slice(1, 2), 'image', [false, true])) {
        const bodies = await bench.requestsDuring(async () => expect((await bench.ask(request)).status).toBe(400));
        expect(bodies).toEqual([]);
      }
    });
  }
};

const testFailures = (bench: Bench, { failures }: ProviderCase, id: string) => {
  if (failures.length === 0) return;
  test(`${id} reports each failure that the vendor documents (${failures.length})`, async () => {
    for (const { name, status, body, event, expected: reply } of failures) {
      for (const stream of [false, true]) {
        bench.behave(event === undefined || !stream ? { status, body } : { events: [event] });
        const answer = await bench.ask({ client: chatClient, kind: 'text', stream });
        const title = `${name}, stream: ${stream}: ${answer.text}`;
        expect(answer.status, title).toBe(reply.status);
        expect(answer.error, title).toMatchObject({ type: reply.type, code: reply.code });
        expect(await bench.chargeOf(answer.requestId), title).toBeNull();
      }
    }
  });
};

/** Every wire format passes this: each question in each dialect, whole and streamed, every cut, and every failure. */
export const testProviders = (cases: readonly ProviderCase[]): void => {
  let relay: RelayApp;
  const benches = cases.map((provider) => createBench(provider, () => relay));

  beforeAll(async () => {
    relay = await buildRelayApp();
    const priced = (value: number) => JSON.stringify(Object.fromEntries(cases.map(({ model }) => [model, value])));
    await relay.setOption('ModelRatio', priced(1));
    await relay.setOption('CompletionRatio', priced(2));
    for (const bench of benches) await bench.start();
  });
  afterAll(() => relay.close());

  for (const [index, provider] of cases.entries()) {
    const bench = benches[index];
    if (bench === undefined) continue;
    const id = `PROVIDER-${provider.type}`;
    const clients = provider.clients ?? everyClient;
    describe(`${id} ${provider.name}`, () => {
      testFixtures(bench, clients, provider, id);
      testCuts(bench, clients, provider, id);
      testFailures(bench, provider, id);
      for (const { title, run } of provider.also ?? []) {
        test(`${id} ${title}`, async () => {
          expect.hasAssertions();
          await run(bench);
        });
      }

      test(`${id} CHAN-05 passes the test of a channel`, async () => {
        expect(await bench.testChannel()).toMatchObject({ success: true, modelName: provider.model });
      });
    });
  }
};

const kinds: ReadonlySet<string> = new Set(['text', 'tools', 'image', 'json', 'results']);
export const isQuestionKind = (text: string): text is Question['kind'] => kinds.has(text);
