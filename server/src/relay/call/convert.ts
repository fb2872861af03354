import { type Abridged, unabridged } from '../../conversation/abridged.ts';
import type { Answer, StreamEvent } from '../../conversation/answer.ts';
import { answerEvents } from '../../conversation/answer-events.ts';
import { outputText, outputTextOfEvents } from '../../conversation/output-text.ts';
import type { Usage } from '../../conversation/usage.ts';
import type { AnswerFacts, Conversion, EventWriter } from '../../dialects/dialect.ts';
import type {
  Codec,
  CountedUsage,
  EventReader,
  Refusal,
  ProviderCall,
  StreamStep,
  StreamTranslator,
  Translation,
} from '../../providers/provider.ts';

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
    keep: (id, value) => call.keep?.(id, value),
    members: 'kind' in content ? {} : content.conversation.members,
  };
};

const nothing = Buffer.alloc(0);

const usageIn = (events: readonly StreamEvent[]): Usage | undefined =>
  events.findLast((event) => event.kind === 'usage')?.usage;

const isOpening = ({ kind }: StreamEvent): boolean => kind === 'start' || kind === 'usage';

const translateEvent = (reader: EventReader, writer: EventWriter, data: string | null, bytes: Buffer): StreamStep => {
  const { events, done, failure } = reader.event(data, bytes);
  if (failure !== undefined) return { forward: 'none', output: '', failure };
  const usage = usageIn(events);
  const counted = { output: outputTextOfEvents(events), ...(usage && { usage }) };
  if (done) return { forward: () => Buffer.concat([writer.write(events) ?? nothing, writer.end()]), done, ...counted };
  const forward = events.length === 0 ? 'none' : () => writer.write(events);
  return { forward, ...counted, ...(events.every(isOpening) && { opening: true }) };
};

interface Streaming {
  readonly reader: EventReader;
  readonly writer: EventWriter;
  readonly contentType: string;
}

const totalled = ({ prompt, completion }: CountedUsage): Usage => ({ prompt, completion, total: prompt + completion });

const streamOf = ({ reader, writer, contentType }: Streaming): StreamTranslator => ({
  contentType,
  event: (data, bytes) => translateEvent(reader, writer, data, bytes),
  finished: () => reader.finished(),
  counted: (usage) => writer.write([{ kind: 'usage', usage: totalled(usage) }]),
  lengthEnd: (usage) => {
    const events: StreamEvent[] = usage === null ? [] : [{ kind: 'usage', usage: totalled(usage) }];
    return writer.write([...events, { kind: 'finish', finish: 'length' }]) ?? nothing;
  },
  terminator: () => writer.end(),
});

const streamTypeOf = ({ streamType }: Conversion): string => streamType ?? 'text/event-stream';

/** An answer in the form of its request: vendors without streams answer every call in one piece. */
const written = (conversion: Conversion, answer: Answer, call: ProviderCall, codec: Codec) => {
  const facts = factsOf(call, codec);
  if (!call.stream) return { body: conversion.answer(answer, facts), contentType: 'application/json' };
  const writer = conversion.stream(facts);
  const body = Buffer.concat([writer.write(answerEvents(answer)) ?? Buffer.alloc(0), writer.end()]);
  return { body, contentType: streamTypeOf(conversion) };
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
    const request = codec.request(content.conversation, call, channel);
    return 'kind' in request ? request : { ...request, body: content.restore(request.body) };
  },
  response: (body, call) => {
    const answer = codec.answer(body, call);
    if ('kind' in answer) return { kind: 'failure', failure: answer.failure };
    return {
      kind: 'answer',
      ...written(conversion, answer, call, codec),
      usage: answer.usage,
      withUsage: (usage) => written(conversion, { ...answer, usage: totalled(usage) }, call, codec).body,
      output: () => (answer.usage?.freeOutput ? '' : outputText(answer)),
    };
  },
  stream: (call) => {
    const writer = conversion.stream(factsOf(call, codec));
    return streamOf({ reader: codec.events(call), writer, contentType: streamTypeOf(conversion) });
  },
  failure: (status, body) => codec.failure(status, body),
});
