import type { Scene, VendorFormat } from './vendor-fixtures.ts';

/** How a vendor's answers differ from OpenAI's format. */
export interface ChatAnswerForm {
  /** The member with the reasoning; absent: the vendor sends none; `content`: it is a part of the content. */
  readonly reasoning?: 'reasoning_content' | 'reasoning' | 'content';
  /** The finish reason of a complete answer; absent: `stop`. */
  readonly stop?: string;
  /** The position of a stream's usage; absent: in a separate chunk. */
  readonly usage?: 'last chunk' | 'first choice';
  /** How a stream sends tool calls; absent: in pieces; `bare`: whole, and without index and type. */
  readonly calls?: 'whole' | 'bare';
  /** The id of a call's later pieces, where they have one. */
  readonly laterId?: '';
  /** Members that only this vendor has, of every body and chunk. */
  readonly members?: object;
  /** Events behind the last chunk; absent: `[DONE]`. */
  readonly end?: (scene: Scene) => readonly string[];
}

/** One event of a stream. */
export const chatEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const usageOf = ({ prompt, completion, cached }: Scene) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached },
});

const reasoningOf = ({ reasoning }: Scene, words: ChatAnswerForm) =>
  words.reasoning === undefined || words.reasoning === 'content' || reasoning === ''
    ? {}
    : { [words.reasoning]: reasoning };

const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });

const contentOf = ({ text, reasoning }: Scene, words: ChatAnswerForm): unknown =>
  words.reasoning !== 'content' || reasoning === '' ? text : [thinking(reasoning), { type: 'text', text }];

const finishOf = ({ calls }: Scene, { stop = 'stop' }: ChatAnswerForm) => (calls.length > 0 ? 'tool_calls' : stop);

const callDeltas = ({ calls }: Scene, { calls: how, laterId }: ChatAnswerForm): readonly object[] =>
  calls.flatMap((call, index): readonly object[] => {
    const { id, name, arguments: given } = call;
    if (how === 'bare') return [{ id, function: { name, arguments: given } }];
    if (how === 'whole') return [{ index, id, type: 'function', function: { name, arguments: given } }];
    const later = laterId === undefined ? {} : { id: laterId };
    const cut = given.indexOf(':') + 1;
    return [
      { index, id, type: 'function', function: { name, arguments: '' } },
      { index, ...later, function: { arguments: given.slice(0, cut) } },
      { index, ...later, function: { arguments: given.slice(cut) } },
    ];
  });

const frame = (object: string, { members }: ChatAnswerForm) => ({
  id: 'chat-1',
  object,
  created: 1_790_000_000,
  model: 'm',
  ...members,
});

/** A chat completion in the vendor's format. */
export const chatWhole = (scene: Scene, words: ChatAnswerForm): object => ({
  ...frame('chat.completion', words),
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: contentOf(scene, words),
        ...reasoningOf(scene, words),
        ...(scene.calls.length > 0 && {
          tool_calls: scene.calls.map(({ id, name, arguments: given }) => ({
            id,
            ...(words.calls !== 'bare' && { type: 'function' }),
            function: { name, arguments: given },
          })),
        }),
      },
      finish_reason: finishOf(scene, words),
    },
  ],
  usage: usageOf(scene),
});

const chatStream = (scene: Scene, words: ChatAnswerForm): readonly string[] => {
  const chunk = (members: object) => chatEvent({ ...frame('chat.completion.chunk', words), ...members });
  const delta = (given: object) => chunk({ choices: [{ index: 0, delta: given, finish_reason: null }] });
  const usage = usageOf(scene);
  const inChoice = words.usage === 'first choice' ? { usage } : {};
  const last = { index: 0, delta: {}, finish_reason: finishOf(scene, words), ...inChoice };
  const reasoning = reasoningOf(scene, words);
  return [
    delta({ role: 'assistant', content: '' }),
    ...(Object.keys(reasoning).length > 0 ? [delta({ content: null, ...reasoning })] : []),
    ...(words.reasoning === 'content' && scene.reasoning !== ''
      ? [delta({ content: [thinking(scene.reasoning)] })]
      : []),
    ...scene.pieces.map((content) => delta({ content })),
    ...callDeltas(scene, words).map((call) => delta({ tool_calls: [call] })),
    chunk({ choices: [last], ...(words.usage === 'last chunk' && { usage }) }),
    ...(words.usage === undefined ? [chunk({ choices: [], usage })] : []),
    ...(words.end?.(scene) ?? ['data: [DONE]\n\n']),
  ];
};

/** What the two forms of an answer look like. */
export const chatAnswers = (
  words: ChatAnswerForm,
): Pick<VendorFormat, 'whole' | 'stream'> & { hidesReasoning?: true } => ({
  whole: (scene) => JSON.stringify(chatWhole(scene, words)),
  stream: (scene) => chatStream(scene, words),
  ...(words.reasoning === undefined && { hidesReasoning: true }),
});
