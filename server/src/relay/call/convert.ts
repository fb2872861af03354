import { type Abridged, unabridged } from '../../conversation/abridged.ts';
import type { Answer, StreamEvent } from '../../conversation/answer.ts';
import { answerEvents } from '../../conversation/answer-events.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject } from '../../conversation/json.ts';
import { outputText, outputTextOfEvents } from '../../conversation/output-text.ts';
import type { Usage } from '../../conversation/usage.ts';
import type { AnswerFacts, Conversion, EventWriter } from '../../dialects/dialect.ts';
import { collectedAnswer } from '../../providers/collected-answer.ts';
import { badBody, refusal } from '../../providers/failure.ts';
import type {
  ClientResponse,
  Codec,
  CountedUsage,
  EventReader,
  Refusal,
  ProviderCall,
  ReadStep,
  StreamStep,
  StreamTranslator,
  Translation,
} from '../../providers/provider.ts';
import { createSplitter } from '../upstream/events/splitter.ts';

const contentOf = (call: ProviderCall, { passesTexts }: Codec): Abridged | Refusal => {
  if (passesTexts) return call.abridged();
  const conversation = call.conversation();
  return 'kind' in conversation ? conversation : unabridged(conversation);
};

const factsOf = (call: ProviderCall, codec: Codec): AnswerFacts => {
  const content = contentOf(call, codec);
  return {
    requestId: call.requestId,
    model: call.requestedModel,
    created: Math.floor(call.now / 1000),
    includeUsage: call.includeUsage,
    choices: call.choices,
    keep: (id, value) => call.keep?.(id, value),
    members: 'kind' in content ? {} : content.conversation.members,
  };
};

const nothing = Buffer.alloc(0);

const usageIn = (events: readonly StreamEvent[]): Usage | undefined =>
  events.findLast((event) => event.kind === 'usage')?.usage;

const isOpening = ({ kind }: StreamEvent): boolean => kind === 'start' || kind === 'usage';

/** Reads the choices of one stream, each with a reader of its own. */
const readersOf = (call: ProviderCall, codec: Codec): readonly EventReader[] => {
  const { choices } = codec;
  if (choices === undefined || call.choices === 1) return [codec.events(call)];
  return Array.from({ length: call.choices }, (_, index) => {
    const reader = codec.events(call);
    let begun = index === 0;
    return {
      event: (data, bytes) => {
        const event = data === null ? null : parseExact(data);
        const own = isObject(event) ? choices.only(event, index) : null;
        // What is no object is the first reader's to refuse.
        if (own === null) return index === 0 ? reader.event(data, bytes) : { events: [] };
        begun = true;
        return reader.event(JSON.stringify(own), bytes);
      },
      // A choice that never came is not waited for.
      finished: () => !begun || reader.finished(),
    };
  });
};

/** Reads one event for the only choice, or for each of several. */
const readAll = (readers: readonly EventReader[], data: string | null, bytes: Buffer): readonly ReadStep[] =>
  readers.map((reader) => reader.event(data, bytes));

const translateEvent = (
  readers: readonly EventReader[],
  writer: EventWriter,
  data: string | null,
  bytes: Buffer,
): StreamStep => {
  const steps = readAll(readers, data, bytes);
  const failure = steps.find((step) => step.failure !== undefined)?.failure;
  if (failure !== undefined) return { forward: 'none', output: '', failure };
  const [first] = steps;
  const events = steps.length === 1 && first !== undefined ? first.events : steps.flatMap((step) => step.events);
  const usage = usageIn(events);
  const counted = { output: outputTextOfEvents(events), ...(usage && { usage }) };
  const written = () => {
    if (steps.length === 1) return writer.write(events);
    return Buffer.concat(steps.map((step, choice) => writer.write(step.events, choice) ?? nothing));
  };
  if (steps.some(({ done }) => done))
    return { forward: () => Buffer.concat([written() ?? nothing, writer.end()]), done: true, ...counted };
  const forward = events.length === 0 ? 'none' : written;
  return { forward, ...counted, ...(events.every(isOpening) && { opening: true }) };
};

interface Streaming {
  /** One for each choice. */
  readonly readers: readonly EventReader[];
  readonly writer: EventWriter;
  readonly contentType: string;
}

const totalled = ({ prompt, completion }: CountedUsage): Usage => ({ prompt, completion, total: prompt + completion });

const streamOf = ({ readers, writer, contentType }: Streaming): StreamTranslator => ({
  contentType,
  event: (data, bytes) => translateEvent(readers, writer, data, bytes),
  finished: () => readers.every((reader) => reader.finished()),
  counted: (usage) => writer.write([{ kind: 'usage', usage: totalled(usage) }]),
  lengthEnd: (usage) => {
    const counted = usage === null ? null : writer.write([{ kind: 'usage', usage: totalled(usage) }]);
    const ends = readers.map((_, choice) => writer.write([{ kind: 'finish', finish: 'length' }], choice));
    return Buffer.concat([counted, ...ends].map((bytes) => bytes ?? nothing));
  },
  terminator: () => writer.end(),
});

const streamTypeOf = ({ streamType }: Conversion): string => streamType ?? 'text/event-stream';

/** The answers of one call, of which the first has the usage. */
type Answers = readonly [Answer, ...Answer[]];

const answersIn = (body: Buffer, call: ProviderCall, codec: Codec): Answers | Refusal => {
  const parsed = call.choices > 1 && codec.choices !== undefined ? parseExact(body.toString()) : null;
  const only = (index: number): Buffer | null => {
    const own = isObject(parsed) ? codec.choices?.only(parsed, index) : null;
    return own ? Buffer.from(JSON.stringify(own)) : null;
  };
  const first = codec.answer(only(0) ?? body, call);
  if ('kind' in first) return first;
  const others: Answer[] = [];
  for (let index = 1; index < call.choices; index += 1) {
    const own = only(index);
    const answer = own === null ? null : codec.answer(own, call);
    if (answer !== null && !('kind' in answer)) others.push(answer);
  }
  return [first, ...others];
};

/** Answers in the form of their request: vendors without streams answer every call in one piece. */
const written = (conversion: Conversion, [answer, ...others]: Answers, call: ProviderCall, codec: Codec) => {
  const facts = factsOf(call, codec);
  if (!call.stream) return { body: conversion.answer(answer, facts, others), contentType: 'application/json' };
  const writer = conversion.stream(facts);
  const pieces = [answer, ...others].map((one, choice) => writer.write(answerEvents(one), choice) ?? nothing);
  return { body: Buffer.concat([...pieces, writer.end()]), contentType: streamTypeOf(conversion) };
};

const responseOf = ({ conversion, codec }: Pair, answers: Answers | Refusal, call: ProviderCall): ClientResponse => {
  if ('kind' in answers) return { kind: 'failure', failure: answers.failure };
  const [first, ...others] = answers;
  return {
    kind: 'answer',
    ...written(conversion, answers, call, codec),
    usage: first.usage,
    withUsage: (usage) => written(conversion, [{ ...first, usage: totalled(usage) }, ...others], call, codec).body,
    output: () => (first.usage?.freeOutput ? '' : answers.map(outputText).join('')),
  };
};

/** A complete stream as one answer. */
const collectedFrom = (body: Buffer, call: ProviderCall, codec: Codec): Answers | Refusal => {
  const splitter = createSplitter('sse', body.length);
  const events = [...(splitter.push(body) ?? []), splitter.rest()].filter((event) => event !== null);
  const reader = codec.events(call);
  const steps = events.map(({ data, bytes }) => reader.event(data, bytes));
  const failure = steps.find((step) => step.failure !== undefined)?.failure;
  if (failure !== undefined) return { kind: 'refusal', failure };
  if (!steps.some(({ done }) => done) && !reader.finished())
    return { kind: 'refusal', failure: badBody('the upstream ended the stream early') };
  return [collectedAnswer(steps.flatMap((step) => step.events))];
};

interface Pair {
  readonly conversion: Conversion;
  readonly codec: Codec;
}

/** Whether the client wants the log probabilities of its tokens, by any of its dialects' members. */
const wantsLogprobs = ({ members }: Conversation): boolean =>
  members['logprobs'] === true || typeof members['logprobs'] === 'number' || Number(members['top_logprobs'] ?? 0) > 0;

/** Why the pair cannot give what the client requests; null: it can. */
const unservable = ({ conversion, codec }: Pair, call: ProviderCall, conversation: Conversation): Refusal | null => {
  const max = conversion.choices === true ? (codec.choices?.max ?? 1) : 1;
  if (call.choices > max)
    return max === 1
      ? refusal('this channel returns one answer per request: n must be 1', 'n')
      : refusal(`this channel returns at most ${max} answers per request`, 'n');
  return wantsLogprobs(conversation) ? refusal('this channel returns no log probabilities', 'logprobs') : null;
};

/** Converts calls of one dialect for a vendor of another: dialect → neutral form → vendor, and back. */
export const convert = (conversion: Conversion, codec: Codec): Translation => ({
  ...(codec.followUp && { followUp: codec.followUp }),
  ...(codec.alwaysStreams && { alwaysStreams: codec.alwaysStreams }),
  ...(codec.framing && { framing: codec.framing }),
  ...(codec.prerequisites && { prerequisites: codec.prerequisites }),
  request: (call, channel) => {
    const content = contentOf(call, codec);
    if ('kind' in content) return content;
    const refused = unservable({ conversion, codec }, call, content.conversation);
    if (refused !== null) return refused;
    const request = codec.request(content.conversation, call, channel);
    return 'kind' in request ? request : { ...request, body: content.restore(request.body) };
  },
  response: (body, call) => responseOf({ conversion, codec }, answersIn(body, call, codec), call),
  collected: (body, call) => responseOf({ conversion, codec }, collectedFrom(body, call, codec), call),
  stream: (call) => {
    const writer = conversion.stream(factsOf(call, codec));
    return streamOf({ readers: readersOf(call, codec), writer, contentType: streamTypeOf(conversion) });
  },
  failure: (status, body) => codec.failure(status, body),
});
