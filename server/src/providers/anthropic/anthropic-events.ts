import type { StreamEvent } from '../../conversation/answer.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, objectAt, textAt } from '../../conversation/json.ts';
import { finishOf, refusalOf } from './anthropic-answer.ts';
import { reportedAnthropicFailure } from './anthropic-failure.ts';
import { jsonTool } from './anthropic-request.ts';
import { anthropicUsage } from './anthropic-usage.ts';
import { badBody } from '../failure.ts';
import type { EventReader, ReadStep } from '../provider.ts';

const nothing: ReadStep = { events: [] };

/** The open content block: the blocks of a message never overlap. */
interface OpenTool {
  readonly index: number;
  readonly isAnswer: boolean;
  hasArguments: boolean;
}

/** Reads the tool calls of a message; `byTool`: a call of `jsonTool` is the answer. */
class ToolCalls {
  private tool: OpenTool | null = null;
  private count = 0;
  private readonly byTool: boolean;

  constructor(byTool: boolean) {
    this.byTool = byTool;
  }

  open(block: Json): readonly StreamEvent[] {
    const name = textAt(block, 'name');
    const isAnswer = this.byTool && name === jsonTool;
    const index = this.count;
    this.tool = { index, isAnswer, hasArguments: false };
    if (isAnswer) return [];
    this.count += 1;
    return [{ kind: 'tool_start', index, id: textAt(block, 'id'), name }];
  }

  arguments(text: string): readonly StreamEvent[] {
    const { tool } = this;
    if (tool === null || text === '') return [];
    tool.hasArguments = true;
    return [tool.isAnswer ? { kind: 'text', text } : { kind: 'tool_arguments', index: tool.index, text }];
  }

  /** A tool call without arguments sends none: they become an empty object. */
  close(): readonly StreamEvent[] {
    const events = this.tool === null || this.tool.hasArguments ? [] : this.arguments('{}');
    this.tool = null;
    return events;
  }
}

/** Stateful: one message, from its first event to its last. */
class MessageReader implements EventReader {
  private startUsage: Json = {};
  private isFinished = false;
  private readonly byTool: boolean;
  private readonly tools: ToolCalls;

  constructor(byTool: boolean) {
    this.byTool = byTool;
    this.tools = new ToolCalls(byTool);
  }

  event(data: string | null): ReadStep {
    if (data === null) return nothing;
    const event = parseExact(data);
    if (!isObject(event))
      return { events: [], failure: badBody('the upstream sent an event that is not a JSON object') };
    const failure = reportedAnthropicFailure(event);
    return failure === null ? this.read(event) : { events: [], failure };
  }

  finished(): boolean {
    return this.isFinished;
  }

  private read(event: Json): ReadStep {
    switch (event['type']) {
      case 'message_start':
        return { events: this.start(objectAt(event, 'message')) };
      case 'content_block_start':
        return { events: this.open(objectAt(event, 'content_block')) };
      case 'content_block_delta':
        return { events: this.piece(objectAt(event, 'delta')) };
      case 'content_block_stop':
        return { events: this.tools.close() };
      case 'message_delta':
        return { events: this.finish(event) };
      case 'message_stop':
        return { events: [], done: true };
      default:
        return nothing;
    }
  }

  private start(message: Json): readonly StreamEvent[] {
    this.startUsage = objectAt(message, 'usage');
    return [
      { kind: 'start', id: textAt(message, 'id') },
      { kind: 'usage', usage: anthropicUsage(this.startUsage) },
    ];
  }

  private open(block: Json): readonly StreamEvent[] {
    const text = textAt(block, 'text');
    switch (block['type']) {
      case 'tool_use':
        return this.tools.open(block);
      case 'text':
        return text === '' ? [] : [{ kind: 'text', text }];
      case 'redacted_thinking':
        return [{ kind: 'signature', signature: textAt(block, 'data'), redacted: true }];
      default:
        return [];
    }
  }

  private piece(delta: Json): readonly StreamEvent[] {
    switch (delta['type']) {
      case 'text_delta':
        return [{ kind: 'text', text: textAt(delta, 'text') }];
      case 'thinking_delta':
        return [{ kind: 'reasoning', text: textAt(delta, 'thinking') }];
      case 'signature_delta':
        return [{ kind: 'signature', signature: textAt(delta, 'signature') }];
      case 'input_json_delta':
        return this.tools.arguments(textAt(delta, 'partial_json'));
      default:
        return [];
    }
  }

  private finish(event: Json): readonly StreamEvent[] {
    const { stop_reason: reason, stop_sequence: stopText } = objectAt(event, 'delta');
    const usage: StreamEvent = { kind: 'usage', usage: anthropicUsage(objectAt(event, 'usage'), this.startUsage) };
    if (typeof reason !== 'string') return [usage];
    this.isFinished = true;
    const stopped = typeof stopText === 'string' ? { stopText } : {};
    const text = refusalOf(objectAt(event, 'delta'));
    const refused: readonly StreamEvent[] = text === '' ? [] : [{ kind: 'refusal', text }];
    return [...refused, usage, { kind: 'finish', finish: finishOf(reason, this.byTool), ...stopped }];
  }
}

/** Reads the events of a message; `byTool`: a call of `jsonTool` is the answer. */
export const anthropicEvents = (byTool: boolean): EventReader => new MessageReader(byTool);
