import {
  type Conversation,
  forcesTool,
  type Reasoning,
  type Tool,
  type ToolChoice,
} from '../../conversation/conversation.ts';
import { wantedEffort } from '../../conversation/reasoning-effort.ts';
import { formatWords } from '../../conversation/format-words.ts';
import type { Json } from '../../conversation/json.ts';
import { anthropicMessages, textBlocks } from './anthropic-messages.ts';
import { claudeSchema } from './claude-schema.ts';
import { claudeTraits, type ClaudeTraits } from './anthropic-models.ts';
import type { ProviderCall } from '../provider.ts';

/** The part of a call that its request depends on. */
type ClaudeCall = Pick<ProviderCall, 'model' | 'stream' | 'outputMax'>;

/** The tool whose forced call replaces an answer by JSON Schema. */
export const jsonTool = 'json_output';

/** Whether an answer by schema arrives as a call of `jsonTool`: with old models, when no other tool is offered. */
export const answersByTool = ({ answerFormat, tools }: Conversation, model: string): boolean =>
  answerFormat.kind === 'schema' && tools.length === 0 && !claudeTraits(model).schemas;

/** The same for a relayed call. */
export const callAnswersByTool = (call: ProviderCall): boolean => {
  const abridged = call.abridged();
  return !('kind' in abridged) && answersByTool(abridged.conversation, call.model);
};

const noArguments = { type: 'object', properties: {} };

const toolOf = ({ name, description, parameters, cache }: Tool): Json => ({
  name,
  ...(description !== '' && { description }),
  input_schema: parameters ?? noArguments,
  ...(cache !== undefined && { cache_control: cache }),
});

/** A conversation with tool calls must declare tools, even when none is offered any more. */
const calledTools = ({ turns }: Conversation): readonly Json[] => {
  const calls = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.parts : []));
  const names = new Set(calls.flatMap((part) => (part.kind === 'tool_call' ? [part.name] : [])));
  return [...names].map((name) => ({ name, input_schema: noArguments }));
};

const choiceTypes = { auto: 'auto', none: 'none', required: 'any', tool: 'tool' } as const;

const choiceOf = (choice: ToolChoice | null, parallelTools: boolean | null): Json => {
  if (choice === null && parallelTools !== false) return {};
  const { kind } = choice ?? { kind: 'auto' as const };
  return {
    tool_choice: {
      type: choiceTypes[kind],
      ...(choice?.kind === 'tool' && { name: choice.name }),
      ...(parallelTools === false && kind !== 'none' && { disable_parallel_tool_use: true }),
    },
  };
};

const toolMembers = (conversation: Conversation, model: string): Json => {
  const { answerFormat, tools, toolChoice, parallelTools } = conversation;
  if (answersByTool(conversation, model) && answerFormat.kind === 'schema') {
    const { description, schema } = answerFormat;
    const tool = { name: jsonTool, ...(description !== '' && { description }), input_schema: schema };
    return { tools: [tool], tool_choice: { type: 'tool', name: jsonTool } };
  }
  if (tools.length > 0) return { tools: tools.map(toolOf), ...choiceOf(toolChoice, parallelTools) };
  const called = calledTools(conversation);
  return called.length === 0 ? {} : { tools: called, tool_choice: { type: 'none' } };
};

/** The instruction about the answer's format, where no parameter expresses it. */
const instructionFor = ({ answerFormat, tools }: Conversation, traits: ClaudeTraits): string | null =>
  answerFormat.kind === 'schema' && (traits.schemas || tools.length === 0) ? null : formatWords(answerFormat);

/** `unplaced`: blocks of system messages that have no place between the turns. */
const systemMembers = (conversation: Conversation, traits: ClaudeTraits, unplaced: readonly Json[]): Json => {
  const instruction = instructionFor(conversation, traits);
  const instructions = instruction === null ? [] : [{ kind: 'text' as const, text: instruction }];
  const system = [...textBlocks(conversation.system), ...unplaced, ...textBlocks(instructions)];
  return system.length === 0 ? {} : { system };
};

const budgets = { minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 32_768, max: 32_768 } as const;
const budgetMin = 1024;

const effortFor = (reasoning: Reasoning, { topEffort }: ClaudeTraits): string | null => {
  const requested = wantedEffort(reasoning);
  if (requested === 'minimal') return 'low';
  return requested === 'xhigh' ? topEffort : requested;
};

/** A model with a thinking budget requires its earlier thinking before the tool calls that it made. */
const lacksThinking = ({ turns }: Conversation): boolean =>
  turns.some(
    (turn) =>
      turn.role === 'assistant' &&
      turn.parts.some(({ kind }) => kind === 'tool_call') &&
      !turn.parts.some((part) => part.kind === 'reasoning' && part.signature !== ''),
  );

interface Thought {
  readonly members: Json;
  /** Output tokens reserved for thinking; 0: thinking is off or has no budget. */
  readonly budget: number;
  readonly effort: string | null;
}

const noThought: Thought = { members: {}, budget: 0, effort: null };

/** A limit is required: where nothing sets one, it is the longest answer of the model (R12). */
const outputLimitOf = ({ outputLimit }: Conversation, { model, outputMax }: ClaudeCall): number =>
  outputLimit ?? outputMax?.() ?? claudeTraits(model).outputDefault;

const thoughtOf = (conversation: Conversation, call: ClaudeCall): Thought => {
  const { reasoning, outputLimit } = conversation;
  const { model } = call;
  const traits = claudeTraits(model);
  if (reasoning === null || traits.thinking === 'none') return noThought;
  if (reasoning.effort === 'none') return { ...noThought, members: { thinking: { type: 'disabled' } } };
  if (traits.thinking === 'adaptive') {
    const display = traits.hidesThinking && reasoning.visible ? { display: 'summarized' } : {};
    return {
      members: { thinking: { type: 'adaptive', ...display } },
      budget: 0,
      effort: effortFor(reasoning, traits),
    };
  }
  const requested = reasoning.budget ?? budgets[reasoning.effort ?? 'medium'];
  const budget = Math.max(budgetMin, Math.min(requested, outputLimitOf(conversation, call) - 1));
  const impossible = outputLimit !== null && outputLimit <= budgetMin;
  if (
    impossible ||
    forcesTool(conversation.toolChoice) ||
    answersByTool(conversation, model) ||
    lacksThinking(conversation)
  )
    return noThought;
  return { members: { thinking: { type: 'enabled', budget_tokens: budget } }, budget, effort: null };
};

const samplingMembers = ({ temperature, topP, topK }: Conversation, traits: ClaudeTraits, thinks: boolean): Json => {
  if (!traits.samples || thinks) return {};
  const both = traits.samplesTwice || temperature === null;
  return {
    ...(temperature !== null && { temperature: Math.min(1, Math.max(0, temperature)) }),
    ...(topP !== null && both && { top_p: topP }),
    ...(topK !== null && { top_k: topK }),
  };
};

const outputMembers = ({ answerFormat }: Conversation, { schemas }: ClaudeTraits, effort: string | null): Json => {
  const format =
    answerFormat.kind === 'schema' && schemas
      ? { format: { type: 'json_schema', schema: claudeSchema(answerFormat.schema) } }
      : {};
  const config = { ...(effort !== null && { effort }), ...format };
  return Object.keys(config).length === 0 ? {} : { output_config: config };
};

const tiers = new Map<unknown, string>([
  ['auto', 'auto'],
  ['default', 'standard_only'],
]);

/** The body of a request. */
export const anthropicBody = (conversation: Conversation, call: ClaudeCall): Json => {
  const { model, stream } = call;
  const traits = claudeTraits(model);
  const { members, budget, effort } = thoughtOf(conversation, call);
  const stop = conversation.stop.filter((text) => text.trim() !== '');
  const { messages, unplaced } = anthropicMessages(conversation, traits);
  const tier = tiers.get(conversation.members['service_tier']);
  return {
    model,
    max_tokens: outputLimitOf(conversation, call),
    ...systemMembers(conversation, traits, unplaced),
    messages,
    ...toolMembers(conversation, model),
    ...samplingMembers(conversation, traits, 'thinking' in members && effort === null && budget > 0),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...members,
    ...outputMembers(conversation, traits, effort),
    ...(conversation.user !== null && { metadata: { user_id: conversation.user } }),
    ...(tier !== undefined && { service_tier: tier }),
    ...(stream && { stream: true }),
  };
};
