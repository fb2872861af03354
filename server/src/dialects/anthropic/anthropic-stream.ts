import type { Finish, StreamEvent } from '../../conversation/answer.ts';
import { eventsWithCarriedSignatures } from '../../conversation/call-signatures.ts';
import type { Usage } from '../../conversation/usage.ts';
import { messageId, messageUsage, stopMembers, toolUseId } from './anthropic-answer.ts';
import type { AnswerFacts, EventWriter } from '../dialect.ts';

const event = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

type Block = 'text' | 'thinking' | 'tool';

interface Ended {
  readonly finish: Finish;
  readonly stopText: string | undefined;
}

interface WaitingTool {
  readonly id: string;
  readonly name: string;
  text: string;
  /** Its block is open: pieces are written at once. */
  isOpen: boolean;
}

/**
 * Writes the content blocks of a message. A block opens with its first piece and closes when another kind follows. One
 * block is open at a time: pieces of interleaved tool calls wait until the open block closes.
 */
class ContentBlocks {
  private block: Block | null = null;
  private blocks = 0;
  private readonly tools = new Map<number, WaitingTool>();

  write(one: StreamEvent): string {
    switch (one.kind) {
      case 'text':
      case 'refusal':
        return one.text === '' ? '' : this.inBlock('text', { type: 'text_delta', text: one.text });
      case 'reasoning':
        return one.text === '' ? '' : this.inBlock('thinking', { type: 'thinking_delta', thinking: one.text });
      case 'signature':
        return this.signature(one.signature, one.redacted === true);
      case 'tool_start':
        return this.toolStart(one.index, one);
      case 'tool_arguments':
        return this.toolArguments(one.index, one.text);
      case 'start':
      case 'usage':
      case 'image':
      case 'finish':
        return '';
    }
  }

  end(): string {
    return this.close() + this.waitingTools();
  }

  private open(block: Block, content: object): string {
    const closed = this.close();
    this.block = block;
    return closed + event('content_block_start', { index: this.blocks, content_block: content });
  }

  private close(): string {
    if (this.block === null) return '';
    this.block = null;
    this.blocks += 1;
    return event('content_block_stop', { index: this.blocks - 1 });
  }

  private delta(delta: object): string {
    return event('content_block_delta', { index: this.blocks, delta });
  }

  private inBlock(block: 'text' | 'thinking', delta: object): string {
    const content = block === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
    const opened = this.block === block ? '' : this.waitingTools() + this.open(block, content);
    return opened + this.delta(delta);
  }

  private signature(signature: string, redacted: boolean): string {
    if (redacted) return this.open('thinking', { type: 'redacted_thinking', data: signature }) + this.close();
    return this.inBlock('thinking', { type: 'signature_delta', signature }) + this.close();
  }

  private toolStart(index: number, { id, name }: { readonly id: string; readonly name: string }): string {
    const tool = { id: toolUseId(id, index), name, text: '', isOpen: this.block !== 'tool' };
    this.tools.set(index, tool);
    return tool.isOpen ? this.openTool(tool) : '';
  }

  private toolArguments(index: number, text: string): string {
    const tool = this.tools.get(index);
    if (tool === undefined || text === '') return '';
    if (tool.isOpen && this.block === 'tool') return this.delta({ type: 'input_json_delta', partial_json: text });
    tool.text += text;
    return '';
  }

  private openTool({ id, name }: WaitingTool): string {
    return this.open('tool', { type: 'tool_use', id, name, input: {} });
  }

  /** The calls that waited for the one that is open, whole. */
  private waitingTools(): string {
    let text = '';
    for (const tool of this.tools.values()) {
      if (tool.isOpen) continue;
      tool.isOpen = true;
      text += this.openTool(tool) + this.delta({ type: 'input_json_delta', partial_json: tool.text }) + this.close();
    }
    return text;
  }
}

/** Writes one message: its head, its content and its end. */
class MessageWriter implements EventWriter {
  private readonly facts: AnswerFacts;
  private readonly content = new ContentBlocks();
  private started = false;
  private usage: Usage | null = null;
  private ended: Ended | null = null;

  constructor(facts: AnswerFacts) {
    this.facts = facts;
  }

  write(events: readonly StreamEvent[]): Buffer | null {
    let text = '';
    for (const one of eventsWithCarriedSignatures(events)) text += this.one(one);
    return text === '' ? null : Buffer.from(text);
  }

  end(): Buffer {
    const { finish, stopText } = this.ended ?? { finish: 'stop', stopText: undefined };
    const head = this.start('') + this.content.end();
    const delta = event('message_delta', { delta: stopMembers(finish, stopText), usage: messageUsage(this.usage) });
    return Buffer.from(head + delta + event('message_stop', {}));
  }

  private one(one: StreamEvent): string {
    if (one.kind === 'usage') {
      this.usage = one.usage;
      return '';
    }
    const start = this.start(one.kind === 'start' ? one.id : '');
    if (this.ended !== null) return start;
    if (one.kind === 'finish') this.ended = { finish: one.finish, stopText: one.stopText };
    return start + this.content.write(one);
  }

  private start(id: string): string {
    if (this.started) return '';
    this.started = true;
    const { requestId, model } = this.facts;
    const message = {
      id: messageId(id, requestId),
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: messageUsage(this.usage),
    };
    return event('message_start', { message }) + event('ping', {});
  }
}

/** Writes a stream as the events of a message. */
export const messageStream = (facts: AnswerFacts): EventWriter => new MessageWriter(facts);
