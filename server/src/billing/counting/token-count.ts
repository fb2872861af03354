/** Counts the tokens of one text. */
export type CountText = (text: string) => number;

export type EncodingName = 'o200k_base' | 'cl100k_base';

const o200k = /^(gpt-4o|gpt-4\.1|gpt-4\.5|chatgpt-4o|gpt-[5-9]|o\d|codex)/;

/** The encoding of a model; other vendors' models are approximated by OpenAI's older one (wire contract 3.7). */
export const encodingOf = (model: string): EncodingName => (o200k.test(model) ? 'o200k_base' : 'cl100k_base');

/** The encoder's time grows with the square of an unbroken run, so longer texts are counted piece by piece. */
const pieceMax = 1000;
const cutWithin = 100;

/** The text in pieces that break behind a space where there is one near the end. */
export const pieces = function* (text: string): Generator<string> {
  let from = 0;
  while (text.length - from > pieceMax) {
    const space = text.lastIndexOf(' ', from + pieceMax - 1);
    const to = space > from + pieceMax - cutWithin ? space : from + pieceMax;
    yield text.slice(from, to);
    from = to;
  }
  yield text.slice(from);
};

/** Characters of one request that are encoded; the rest is estimated by its length. */
export const encodedMax = 1_000_000;

const perMessage = 3;
const perName = 1;
const perAnswer = 3;

type Part = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What counts the parts of a chat. */
export interface ChatCounters {
  readonly text: CountText;
  /** Of an `image_url`. */
  readonly image: (image: Part) => number;
}

const countImage = ({ image_url: image }: Part, { image: count }: ChatCounters): number =>
  count(isObject(image) ? image : { url: image });

const countContent = (content: unknown, counters: ChatCounters): number => {
  const { text: count } = counters;
  if (typeof content === 'string') return count(content);
  if (!Array.isArray(content)) return 0;
  let total = 0;
  for (const part of content) {
    if (!isObject(part)) continue;
    if (typeof part['text'] === 'string') total += count(part['text']);
    else if (part['type'] === 'image_url') total += countImage(part, counters);
  }
  return total;
};

const countMessage = (message: unknown, counters: ChatCounters): number => {
  const { text: count } = counters;
  if (!isObject(message)) return perMessage;
  let total = perMessage + countContent(message['content'], counters);
  if (typeof message['role'] === 'string') total += count(message['role']);
  if (typeof message['name'] === 'string') total += perName + count(message['name']);
  if (message['tool_calls'] !== undefined) total += count(JSON.stringify(message['tool_calls']));
  return total;
};

/** Tokens of a prompt that is no conversation: its texts, and one for each token that is given as its number. */
const countPlain = (prompt: unknown, count: CountText): number => {
  if (typeof prompt === 'string') return count(prompt);
  if (typeof prompt === 'number') return 1;
  if (Array.isArray(prompt)) return prompt.reduce((sum: number, part) => sum + countPlain(part, count), 0);
  return isObject(prompt) ? countPlain(prompt['text'] ?? prompt['content'], count) : 0;
};

/**
 * Prompt tokens of a chat completion body: messages, their overhead, and tool definitions as text. A body with a prompt
 * instead of messages has no overhead.
 */
export const countChat = (body: unknown, counters: ChatCounters): number => {
  const { text: count } = counters;
  if (!isObject(body)) return perAnswer;
  if (body['messages'] === undefined && body['prompt'] !== undefined) return countPlain(body['prompt'], count);
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  const tools = body['tools'] ?? body['functions'];
  const toolTokens = tools === undefined ? 0 : count(JSON.stringify(tools));
  return messages.reduce((total: number, message) => total + countMessage(message, counters), perAnswer + toolTokens);
};
