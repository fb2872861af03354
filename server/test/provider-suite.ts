import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatClient } from './chat-client.ts';
import type { FakeUpstream, FakeUpstreamOptions } from './fake-upstream.ts';
import { parseObject, type Json } from './json.ts';
import { geminiClient } from './gemini-client.ts';
import { messagesClient } from './messages-client.ts';
import { responsesClient } from './responses-client.ts';
import { buildRelayApp, testPrice, type ChannelValues, type RelayApp } from './relay-app.ts';
import type { RelayUser } from './relay-user.ts';
import type { DialectClient, Question, Told } from './told.ts';

/** What a vendor answers to one question, and what a client must understand of it. */
export interface Fixture {
  /** Where it is from: the vendor's documentation, or a recording of the vendor's service. */
  readonly origin: 'documentation' | 'recording';
  /** Section or address. */
  readonly source: string;
  readonly whole: string;
  /** Events as sent, terminators included. */
  readonly stream: readonly string[];
  readonly told: Omit<Told, 'ended'>;
  /** What the vendor must have been asked; throws where it was not. */
  readonly asked?: (body: Json) => void;
}

/** A failure of the vendor, and what the client of an OpenAI endpoint is told. */
export interface FailureFixture {
  readonly name: string;
  readonly status: number;
  readonly body: string;
  readonly told: { readonly status: number; readonly type: string; readonly code: string | number };
}

export interface ProviderCase {
  /** Channel type; its acceptance row is `PROVIDER-type`. */
  readonly type: number;
  readonly name: string;
  readonly upstream: FakeUpstreamOptions;
  readonly channel?: ChannelValues;
  readonly model: string;
  /** Absent: the vendor does not offer it. */
  readonly fixtures: { readonly text: Fixture } & Readonly<Partial<Record<Question['kind'], Fixture>>>;
  readonly failures: readonly FailureFixture[];
  /** Events that end a stream with a failure instead of an end. */
  readonly failureEvents: readonly string[];
}

const clients: readonly DialectClient[] = [chatClient, messagesClient, responsesClient, geminiClient];

/** The gateway with one channel of the type under test. */
const createBench = ({ type, upstream: options, channel, model }: ProviderCase) => {
  let relay: RelayApp;
  let upstream: FakeUpstream;
  let user: RelayUser;
  const start = async () => {
    relay = await buildRelayApp();
    upstream = await relay.addUpstream(options);
    user = await relay.addUser();
    await relay.setOption('ModelRatio', JSON.stringify({ [model]: 1 }));
    await relay.setOption('CompletionRatio', JSON.stringify({ [model]: 2 }));
    await relay.addChannel({ type, base_url: upstream.url, key: upstream.key, models: model, ...channel });
  };
  const ask = (client: DialectClient, question: Omit<Question, 'model'>) =>
    relay.ask({
      key: user.key,
      path: client.path({ ...question, model }),
      body: JSON.stringify(client.body({ ...question, model })),
    });
  return {
    start,
    stop: () => relay.close(),
    ask,
    behave: (...behaviour: Parameters<FakeUpstream['behave']>) => upstream.behave(...behaviour),
    lastAsked: () => {
      const entry = upstream.journal().at(-1);
      if (entry === undefined || entry.fault !== undefined) throw new Error(entry?.fault ?? 'nothing was asked');
      return parseObject(entry.body.toString());
    },
    chargeOf: (id: string) => relay.chargeOf(id),
    charged: async () =>
      (await relay.app.db.query.selectFrom('ledger').select('id').where('kind', '=', 'use').execute()).length,
  };
};

type Bench = ReturnType<typeof createBench>;

/** Ids of calls may be made by the gateway; that there is one is asserted where it is read. */
const understood = (told: Fixture['told']) => ({
  ...told,
  calls: told.calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
  ended: true,
});

/** The same of what a client read. */
const read = (told: Told) => {
  expect(told.calls.every(({ id }) => id !== '')).toBe(true);
  return { ...told, calls: told.calls.map(({ name, arguments: given }) => ({ name, arguments: given })) };
};

const testFixture = (bench: Bench, client: DialectClient, kind: Question['kind'], fixture: Fixture, title: string) => {
  const { told, asked } = fixture;
  const cost = told.usage === null ? null : { amount: testPrice(told.usage), estimated: 0 };

  test(`${title} whole`, async () => {
    bench.behave(() => ({ body: fixture.whole }));
    const answer = await bench.ask(client, { kind, stream: false });
    expect(answer.status, answer.text).toBe(200);
    expect(read(client.readWhole(answer.text))).toEqual(understood(told));
    asked?.(bench.lastAsked());
    if (cost !== null) expect(await bench.chargeOf(answer.requestId)).toEqual(cost);
  });

  test(`${title} as a stream, wherever its bytes are cut`, async () => {
    for (const pieceBytes of [undefined, 1]) {
      bench.behave(() => ({ events: fixture.stream, ...(pieceBytes !== undefined && { pieceBytes }) }));
      const answer = await bench.ask(client, { kind, stream: true });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.complete).toBe(true);
      expect(read(client.readStream(answer.text))).toEqual(understood(told));
      asked?.(bench.lastAsked());
      if (cost !== null) expect(await bench.chargeOf(answer.requestId)).toEqual(cost);
    }
  });
};

/** A stream that ends too early looks so in every dialect, wherever it ends, and costs no more than the whole. */
const testCuts = (bench: Bench, client: DialectClient, fixture: Fixture, title: string) => {
  test(`${title} does not take for complete what was cut behind any event`, async () => {
    const { stream, told } = fixture;
    const complete = testPrice(told.usage ?? { prompt: 0, completion: 0 });
    for (let events = 0; events < stream.length; events += 1) {
      bench.behave(() => ({
        events: stream,
        cutAfterBytes: Math.max(1, Buffer.byteLength(stream.slice(0, events).join(''))),
      }));
      const answer = await bench.ask(client, { kind: 'text', stream: true });
      if (answer.status !== 200) continue;
      expect(answer.complete, `cut behind event ${events}`).toBe(false);
      expect(client.readStream(answer.text).ended).toBe(false);
      expect(told.text.startsWith(client.readStream(answer.text).text)).toBe(true);
      const charge = await bench.chargeOf(answer.requestId);
      if (told.usage !== null) expect(charge?.amount ?? 0).toBeLessThanOrEqual(complete * 2 + 40);
    }
  });
};

/** Every provider passes this: each question in each dialect, whole and streamed, and every failure. */
export const testProvider = (provider: ProviderCase): void => {
  const id = `PROVIDER-${provider.type}`;
  describe(`${id} ${provider.name}`, () => {
    const bench = createBench(provider);
    beforeAll(bench.start);
    afterAll(bench.stop);

    for (const client of clients) {
      for (const [kind, fixture] of Object.entries(provider.fixtures)) {
        if (!isKind(kind)) continue;
        const title = `${id} RELAY-03 answers a question of kind ${kind} in ${client.name} (${fixture.origin})`;
        testFixture(bench, client, kind, fixture, title);
      }
      testCuts(bench, client, provider.fixtures.text, `${id} ${client.name}`);

      test(`${id} a failure within a stream of ${client.name} ends it without an end, and nothing is charged for it`, async () => {
        for (const event of provider.failureEvents) {
          bench.behave(() => ({ events: [...provider.fixtures.text.stream.slice(0, 3), event] }));
          const answer = await bench.ask(client, { kind: 'text', stream: true });
          expect(answer.complete).toBe(false);
          expect(client.readStream(answer.text.replace(/event: error\n/, '')).ended).toBe(false);
        }
      });
    }

    test.each(provider.failures)(`${id} tells of $name`, async ({ status, body, told }) => {
      for (const stream of [false, true]) {
        const before = await bench.charged();
        bench.behave(() => ({ status, body }));
        const answer = await bench.ask(chatClient, { kind: 'text', stream });
        expect(answer.status).toBe(told.status);
        expect(answer.error).toMatchObject({ type: told.type, code: told.code });
        expect(await bench.charged()).toBe(before);
      }
    });
  });
};

const kinds: ReadonlySet<string> = new Set(['text', 'tools', 'image', 'json', 'results']);
const isKind = (text: string): text is Question['kind'] => kinds.has(text);
