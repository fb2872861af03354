import type {
  AssistantPart,
  Conversation,
  FilePart,
  ImagePart,
  Tool,
  ToolChoice,
  Turn,
  UserPart,
} from '../../conversation/conversation.ts';
import { parseExactObject } from '../../conversation/exact-numbers.ts';
import { type Json } from '../../conversation/json.ts';
import { joinTexts } from '../../conversation/text.ts';
import { UnsupportedPartError } from '../unsupported-part.ts';

const imageBlock = ({ source }: ImagePart): Json => {
  const format = source.kind === 'data' ? /^image\/(png|jpeg|gif|webp)$/.exec(source.mime)?.[1] : undefined;
  if (source.kind === 'url' || format === undefined)
    throw new UnsupportedPartError('this channel takes images by value, as png, jpeg, gif or webp');
  return { image: { format, source: { bytes: source.base64 } } };
};

const documentFormats = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/markdown', 'md'],
  ['text/plain', 'txt'],
]);

/** Document names may only contain letters, digits, spaces and a few marks. */
const documentBlock = ({ name, source }: FilePart): Json => {
  if (source.kind === 'text') return { text: source.text };
  const format = source.kind === 'data' ? documentFormats.get(source.mime) : undefined;
  if (source.kind === 'url' || format === undefined)
    throw new UnsupportedPartError('this channel takes files by value, as pdf or text');
  const title = name.replaceAll(/[^A-Za-z0-9()[\] -]+/g, ' ').trim();
  return { document: { format, name: title === '' ? 'document' : title, source: { bytes: source.base64 } } };
};

const userBlock = (part: UserPart): Json => {
  switch (part.kind) {
    case 'text':
      return { text: part.text };
    case 'image':
      return imageBlock(part);
    case 'file':
      return documentBlock(part);
    case 'audio':
      throw new UnsupportedPartError('audio is not supported by this channel');
  }
};

/** A cache point is a block of its own, after the content that it covers. */
const userBlocks = (parts: readonly UserPart[]): readonly Json[] =>
  parts.flatMap((part) => [
    ...(part.kind === 'text' && part.text.trim() === '' ? [] : [userBlock(part)]),
    ...('cache' in part && part.cache !== undefined ? [{ cachePoint: { type: 'default' } }] : []),
  ]);

const assistantBlocks = (parts: readonly AssistantPart[]): readonly Json[] =>
  parts.flatMap((part): readonly Json[] => {
    switch (part.kind) {
      case 'text':
      case 'refusal':
        return part.text.trim() === '' ? [] : [{ text: part.text }];
      case 'reasoning':
        if (part.signature === '') return [];
        if (part.redacted) return [{ reasoningContent: { redactedContent: part.signature } }];
        return [{ reasoningContent: { reasoningText: { text: part.text, signature: part.signature } } }];
      case 'tool_call':
        return [{ toolUse: { toolUseId: part.id, name: part.name, input: parseExactObject(part.arguments) } }];
      case 'image':
        return [];
    }
  });

const blocksOf = (turn: Turn): readonly Json[] => {
  switch (turn.role) {
    case 'assistant':
      return assistantBlocks(turn.parts);
    case 'tool':
      return [
        {
          toolResult: {
            toolUseId: turn.callId,
            content: turn.parts.map(userBlock),
            ...(turn.isError && { status: 'error' }),
          },
        },
      ];
    case 'system':
    case 'user':
      return userBlocks(turn.parts);
  }
};

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Json[];
}

/** Roles must alternate: neighbouring turns of one role become one message. */
const messagesOf = ({ turns }: Conversation): readonly Message[] => {
  const messages: Message[] = [];
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(turn);
    const last = messages.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) messages[messages.length - 1] = { role, content: [...last.content, ...content] };
    else messages.push({ role, content });
  }
  return messages;
};

const noArguments = { type: 'object', properties: {} };

const toolOf = ({ name, description, parameters }: Tool): Json => ({
  toolSpec: { name, ...(description !== '' && { description }), inputSchema: { json: parameters ?? noArguments } },
});

/** A conversation with tool calls must declare tools, even when none is offered any more. */
const calledTools = ({ turns }: Conversation): readonly Json[] => {
  const calls = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.parts : []));
  const names = new Set(calls.flatMap((part) => (part.kind === 'tool_call' ? [part.name] : [])));
  return [...names].map((name) => ({ toolSpec: { name, inputSchema: { json: noArguments } } }));
};

const choiceOf = (choice: ToolChoice): Json => {
  if (choice.kind === 'tool') return { toolChoice: { tool: { name: choice.name } } };
  return choice.kind === 'required' ? { toolChoice: { any: {} } } : {};
};

const toolMembers = (conversation: Conversation): Json => {
  const { tools, toolChoice } = conversation;
  const offered = toolChoice?.kind === 'none' ? [] : tools.map(toolOf);
  const described = offered.length > 0 ? offered : calledTools(conversation);
  if (described.length === 0) return {};
  const choice = offered.length > 0 && toolChoice !== null ? choiceOf(toolChoice) : {};
  return { toolConfig: { tools: described, ...choice } };
};

/** A conversation in the format of `Converse`. Throws `UnsupportedPartError`. */
export const converseBody = (conversation: Conversation): Json => {
  const { system, outputLimit, temperature, topP, stop } = conversation;
  const systemText = joinTexts(system, '\n\n');
  const sampling = {
    ...(outputLimit !== null && { maxTokens: outputLimit }),
    ...(temperature !== null && { temperature: Math.min(1, Math.max(0, temperature)) }),
    ...(topP !== null && { topP }),
    ...(stop.length > 0 && { stopSequences: stop }),
  };
  return {
    messages: messagesOf(conversation),
    ...(systemText !== '' && { system: [{ text: systemText }] }),
    ...(Object.keys(sampling).length > 0 && { inferenceConfig: sampling }),
    ...toolMembers(conversation),
  };
};
