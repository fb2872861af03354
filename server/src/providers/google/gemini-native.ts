import { isObject, type Json, objectAt, objectsAt, parseJson, textAt } from '../../conversation/json.ts';
import { badBody } from '../failure.ts';
import { geminiFailure, reportedGeminiFailure } from './gemini-failure.ts';
import { geminiUsage } from './gemini-usage.ts';
import { jsonBody } from '../json-events.ts';
import type {
  ChannelFault,
  ProviderChannel,
  ProviderCall,
  StreamTranslator,
  Translation,
  UpstreamRequest,
} from '../provider.ts';

/** Builds the request for a body. */
export type GeminiRequestBuilder = (
  call: ProviderCall,
  channel: ProviderChannel,
  body: Buffer,
) => UpstreamRequest | ChannelFault;

const partText = (part: Json): string => {
  const call = part['functionCall'];
  return isObject(call) ? textAt(call, 'name') + JSON.stringify(call['args'] ?? {}) : textAt(part, 'text');
};

const outputOf = (body: Json): string =>
  objectsAt(body, 'candidates')
    .flatMap((candidate) => objectsAt(objectAt(candidate, 'content'), 'parts'))
    .map(partText)
    .join('');

const usageIn = (body: Json) => {
  const usage = body['usageMetadata'];
  return isObject(usage) ? geminiUsage(usage) : null;
};

const lengthEnd = (usage: { readonly prompt: number; readonly completion: number } | null): string => {
  const counted = usage ?? { prompt: 0, completion: 0 };
  return JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'MAX_TOKENS', index: 0 }],
    usageMetadata: {
      promptTokenCount: counted.prompt,
      candidatesTokenCount: counted.completion,
      totalTokenCount: counted.prompt + counted.completion,
    },
  });
};

interface Framed {
  /** The event for the client; null: its own bytes. */
  readonly event: (data: string) => Buffer | null;
  readonly end: string;
  readonly contentType?: string;
}

/** Forwards responses unchanged and reads usage and output from them. Stateful: one stream. */
const streamOf = ({ event, end, contentType }: Framed): StreamTranslator => {
  let finished = false;
  let hasContent = false;
  return {
    ...(contentType !== undefined && { contentType }),
    event: (data, bytes) => {
      if (data === null || data === '') return { forward: 'none', output: '', opening: true };
      const body = parseJson(data);
      const failure = isObject(body)
        ? reportedGeminiFailure(body)
        : badBody('the upstream sent an event that is not a JSON object');
      if (failure !== null) return { forward: 'none', output: '', failure };
      if (!isObject(body)) return { forward: 'none', output: '' };
      const usage = usageIn(body);
      const candidates = objectsAt(body, 'candidates');
      finished ||= candidates.some((candidate) => textAt(candidate, 'finishReason') !== '');
      hasContent ||=
        finished || candidates.some((candidate) => objectsAt(objectAt(candidate, 'content'), 'parts').length > 0);
      return {
        forward: () => event(data) ?? bytes,
        output: outputOf(body),
        ...(usage !== null && { usage }),
        ...(!hasContent && { opening: true }),
      };
    },
    finished: () => finished,
    lengthEnd: (usage) => event(lengthEnd(usage)) ?? Buffer.from(`data: ${lengthEnd(usage)}\r\n\r\n`),
    terminator: () => Buffer.from(end),
  };
};

/** The upstream always sends events; this client expects one JSON list. */
const listed = (): Framed => {
  let begun = false;
  return {
    event: (data) => {
      const piece = (begun ? ',\r\n' : '[') + data;
      begun = true;
      return Buffer.from(piece);
    },
    end: ']',
    contentType: 'application/json; charset=utf-8',
  };
};

const translation = (build: GeminiRequestBuilder, framed: () => Framed): Translation => ({
  request: (call, channel) => {
    const { outputCap } = call;
    return build(
      call,
      channel,
      call.body(outputCap === null ? {} : { outputLimit: { tokens: outputCap, member: 'max_tokens' } }),
    );
  },
  response: (body) => {
    const read = jsonBody(body, reportedGeminiFailure);
    if (read.kind === 'refusal') return { kind: 'failure', failure: read.failure };
    const { members } = read;
    if (objectsAt(members, 'candidates').length === 0)
      return { kind: 'failure', failure: badBody('the upstream response has no candidates') };
    return { kind: 'answer', body, usage: usageIn(members), output: () => outputOf(members) };
  },
  stream: () => streamOf(framed()),
  failure: geminiFailure,
});

/** Gemini's own requests, passed through. */
export const geminiNative = (build: GeminiRequestBuilder) => ({
  gemini: translation(build, () => ({ event: () => null, end: '' })),
  'gemini-list': translation(build, listed),
});
