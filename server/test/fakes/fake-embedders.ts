import {
  type ParsedRequest,
  type ChatFault,
  checkHeaders,
  fault,
  type KeyHeader,
  parse,
} from './fake-upstream-check.ts';
import { type FakeUpstreamOptions, upstreamTokens } from './fake-upstream.ts';
import { isJson, type Json } from '../parsing/json.ts';

/** A vendor's own form of a request for embeddings. */
export interface EmbedderForm {
  readonly type: number;
  readonly path: RegExp;
  readonly keyHeader: KeyHeader;
  /** The key of the channel; the upstream then expects `sent`. */
  readonly key: string;
  readonly sent: string;
  readonly model: string;
  /** Texts that one request may have. */
  readonly most: number;
  /** Null: the request breaks the vendor's rules. */
  texts(body: Json): unknown;
  answer(vectors: readonly (readonly number[])[], tokens: number): object;
  /** The vendor reports no tokens. */
  readonly silent?: true;
}

/** The vector of a text, the same in every fake: numbers that 32-bit floats hold exactly. */
export const vectorFor = (text: string): readonly number[] => [text.length / 4, -0.5];

const listAt = (body: Json, name: string, only: readonly string[]): unknown =>
  Object.keys(body).every((member) => only.includes(member)) ? body[name] : null;

const partsText = (request: unknown): unknown => {
  const content = isJson(request) ? request['content'] : null;
  const parts = isJson(content) ? content['parts'] : null;
  const part: unknown = Array.isArray(parts) ? parts[0] : null;
  return isJson(part) && isJson(request) && request['model'] === 'models/embed-24' ? part['text'] : null;
};

const token = '24.a-token';

export const embedderForms: readonly EmbedderForm[] = [
  {
    type: 24,
    path: /^\/v1beta\/models\/embed-24:batchEmbedContents$/,
    keyHeader: 'x-goog-api-key',
    key: 'g-key',
    sent: 'g-key',
    model: 'embed-24',
    most: 100,
    texts: (body) => {
      const requests = listAt(body, 'requests', ['requests']);
      return Array.isArray(requests) ? requests.map(partsText) : null;
    },
    answer: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
    silent: true,
  },
  {
    type: 30,
    path: /^\/api\/embed$/,
    keyHeader: 'authorization',
    key: 'o-key',
    sent: 'o-key',
    model: 'embed-30',
    most: 512,
    texts: (body) => listAt(body, 'input', ['model', 'input', 'dimensions']),
    answer: (vectors, tokens) => ({ model: 'embed-30', embeddings: vectors, prompt_eval_count: tokens }),
  },
  {
    type: 17,
    path: /^\/api\/v1\/services\/embeddings\/text-embedding\/text-embedding$/,
    keyHeader: 'authorization',
    key: 'a-key',
    sent: 'a-key',
    model: 'embed-17-v4',
    most: 10,
    texts: ({ input, parameters }) =>
      isJson(input) && isJson(parameters) && parameters['text_type'] === 'document' ? input['texts'] : null,
    answer: (vectors, tokens) => ({
      // The vendor promises no order.
      output: { embeddings: vectors.map((embedding, index) => ({ text_index: index, embedding })).toReversed() },
      usage: { total_tokens: tokens },
      request_id: 'r-1',
    }),
  },
  {
    type: 15,
    path: new RegExp(
      `^/rpc/2\\.0/ai_custom/v1/wenxinworkshop/embeddings/bge_large_zh\\?access_token=${token.replace('.', '\\.')}$`,
    ),
    keyHeader: 'authorization',
    key: 'id|secret',
    sent: '',
    model: 'bge-large-zh',
    most: 16,
    texts: (body) => listAt(body, 'input', ['input']),
    answer: (vectors, tokens) => ({
      id: 'as-1',
      object: 'embedding_list',
      data: vectors.map((embedding, index) => ({ object: 'embedding', embedding, index })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }),
  },
  {
    type: 27,
    path: /^\/v1\/embeddings$/,
    keyHeader: 'authorization',
    key: 'm-key',
    sent: 'm-key',
    model: 'embo-01',
    most: 512,
    texts: ({ texts, type }) => (type === 'db' ? texts : null),
    answer: (vectors, tokens) => ({ vectors, total_tokens: tokens, base_resp: { status_code: 0, status_msg: '' } }),
  },
  {
    type: 35,
    path: /^\/v2\/embed$/,
    keyHeader: 'authorization',
    key: 'c-key',
    sent: 'c-key',
    model: 'embed-v4.0',
    most: 96,
    texts: ({ texts, input_type: type, embedding_types: types }) =>
      type === 'search_document' && JSON.stringify(types) === '["float"]' ? texts : null,
    answer: (vectors, tokens) => ({
      id: 'e-1',
      embeddings: { float: vectors },
      meta: { api_version: { version: '2' }, billed_units: { input_tokens: tokens } },
    }),
  },
];

const tokenPath = '/oauth/2.0/token?grant_type=client_credentials&client_id=id&client_secret=secret';

const parsedRequest = (prompt: string): ParsedRequest => ({
  model: '',
  stream: false,
  includeUsage: false,
  maxTokens: 0,
  prompt,
  nonce: '',
});

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '');

const check = (form: EmbedderForm, body: unknown): ParsedRequest | ChatFault => {
  const texts = isJson(body) ? form.texts(body) : null;
  if (!isTexts(texts)) return fault('the texts are not where the vendor looks for them');
  if (texts.length > form.most) return fault(`at most ${form.most} texts`);
  return parsedRequest(JSON.stringify(texts));
};

/** A strict upstream of a vendor's embeddings; its vectors are answered by `vectorFor`, its tokens are words. */
export const embedderUpstream = (form: EmbedderForm): FakeUpstreamOptions => ({
  key: form.sent,
  path: form.path,
  keyHeader: form.keyHeader,
  form: {
    check: (input) => {
      if (input.request.url === tokenPath) return parsedRequest('');
      // A key in the address is in no header.
      if (form.sent === '') input.request.headers.authorization = 'Bearer ';
      return checkHeaders(input) ?? check(form, parse(input.body));
    },
    refusal: ({ fault: message }) => JSON.stringify({ error: { message } }),
    whole: ({ prompt }) => {
      if (prompt === '') return JSON.stringify({ access_token: token, expires_in: 2_592_000 });
      const texts: unknown = JSON.parse(prompt);
      const words = isTexts(texts) ? texts : [];
      const tokens = words.reduce((sum, text) => sum + upstreamTokens(text), 0);
      return JSON.stringify(form.answer(words.map(vectorFor), tokens));
    },
    events: () => [],
  },
});
