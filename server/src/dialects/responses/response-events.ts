import type { Json } from '../../conversation/json.ts';
import { callItem, itemId, messageItem, outputText, reasoningItem } from './responses-answer.ts';

interface OpenMessage {
  readonly kind: 'message';
  readonly id: string;
  readonly index: number;
  /** Parts that are whole. */
  readonly content: Json[];
  part: { readonly kind: 'text' | 'refusal'; text: string } | null;
}

interface OpenReasoning {
  readonly kind: 'reasoning';
  readonly id: string;
  readonly index: number;
  text: string;
  signature: string;
}

interface OpenCall {
  readonly kind: 'call';
  readonly id: string;
  readonly index: number;
  readonly callId: string;
  readonly name: string;
  text: string;
}

/** The output items of one response, and the events that were not sent yet. */
export class ResponseEvents {
  readonly output: Json[] = [];
  private sequence = 0;
  private text = '';

  /** The events since the last call; null: none. */
  take(): Buffer | null {
    if (this.text === '') return null;
    const bytes = Buffer.from(this.text);
    this.text = '';
    return bytes;
  }

  emit(type: string, members: Json): void {
    const data = JSON.stringify({ type, sequence_number: this.sequence, ...members });
    this.sequence += 1;
    this.text += `event: ${type}\ndata: ${data}\n\n`;
  }

  /** Reserves the index of an item, whatever item ends first. */
  add(item: Json): number {
    const index = this.output.push(item) - 1;
    this.emit('response.output_item.added', { output_index: index, item });
    return index;
  }

  finish(index: number, item: Json): void {
    this.output[index] = item;
    this.emit('response.output_item.done', { output_index: index, item });
  }
}

/** The message or the reasoning that is open; it closes when another item begins. */
export class TextItems {
  private readonly events: ResponseEvents;
  private readonly requestId: string;
  private open: OpenMessage | OpenReasoning | null = null;

  constructor(events: ResponseEvents, requestId: string) {
    this.events = events;
    this.requestId = requestId;
  }

  private message(): OpenMessage {
    if (this.open?.kind === 'message') return this.open;
    this.close();
    const id = itemId('msg', this.requestId, this.events.output.length);
    const index = this.events.add(messageItem(id, 'in_progress', []));
    const message: OpenMessage = { kind: 'message', id, index, content: [], part: null };
    this.open = message;
    return message;
  }

  addText(kind: 'text' | 'refusal', delta: string): void {
    const message = this.message();
    const item = { item_id: message.id, output_index: message.index };
    if (message.part?.kind !== kind) {
      this.closePart(message);
      message.part = { kind, text: '' };
      const part = kind === 'text' ? outputText('') : { type: 'refusal', refusal: '' };
      this.events.emit('response.content_part.added', { ...item, content_index: message.content.length, part });
    }
    message.part.text += delta;
    const at = { ...item, content_index: message.content.length, delta };
    if (kind === 'text') this.events.emit('response.output_text.delta', { ...at, logprobs: [] });
    else this.events.emit('response.refusal.delta', at);
  }

  private closePart(message: OpenMessage): void {
    const { id, index, content, part } = message;
    if (part === null) return;
    const at = { item_id: id, output_index: index, content_index: content.length };
    const { kind, text } = part;
    if (kind === 'text') this.events.emit('response.output_text.done', { ...at, text, logprobs: [] });
    else this.events.emit('response.refusal.done', { ...at, refusal: text });
    const whole = kind === 'text' ? outputText(text) : { type: 'refusal', refusal: text };
    this.events.emit('response.content_part.done', { ...at, part: whole });
    content.push(whole);
    message.part = null;
  }

  private reasoning(): OpenReasoning {
    if (this.open?.kind === 'reasoning') return this.open;
    this.close();
    const id = itemId('rs', this.requestId, this.events.output.length);
    const index = this.events.add(reasoningItem(id, '', ''));
    const reasoning: OpenReasoning = { kind: 'reasoning', id, index, text: '', signature: '' };
    this.open = reasoning;
    return reasoning;
  }

  addReasoning(delta: string): void {
    const reasoning = this.reasoning();
    const at = { item_id: reasoning.id, output_index: reasoning.index, summary_index: 0 };
    if (reasoning.text === '')
      this.events.emit('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } });
    reasoning.text += delta;
    this.events.emit('response.reasoning_summary_text.delta', { ...at, delta });
  }

  addSignature(signature: string): void {
    this.reasoning().signature += signature;
  }

  close(): void {
    const { open } = this;
    this.open = null;
    if (open?.kind === 'message') {
      this.closePart(open);
      this.events.finish(open.index, messageItem(open.id, 'completed', open.content));
    }
    if (open?.kind === 'reasoning') this.closeReasoning(open);
  }

  private closeReasoning({ id, index, text, signature }: OpenReasoning): void {
    if (text !== '') {
      const at = { item_id: id, output_index: index, summary_index: 0 };
      this.events.emit('response.reasoning_summary_text.done', { ...at, text });
      this.events.emit('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } });
    }
    this.events.finish(index, reasoningItem(id, text, signature));
  }
}

/** The tool calls of one response. They close at its end, since their pieces may interleave. */
export class CallItems {
  private readonly events: ResponseEvents;
  private readonly requestId: string;
  private readonly calls = new Map<number, OpenCall>();

  constructor(events: ResponseEvents, requestId: string) {
    this.events = events;
    this.requestId = requestId;
  }

  start(call: number, { id: given, name }: { readonly id: string; readonly name: string }): void {
    const id = itemId('fc', this.requestId, this.events.output.length);
    const callId = given === '' ? `call_${call}` : given;
    const index = this.events.add(callItem({ id, callId, name, text: '', status: 'in_progress' }));
    this.calls.set(call, { kind: 'call', id, index, callId, name, text: '' });
  }

  addArguments(index: number, delta: string): void {
    const call = this.calls.get(index);
    if (call === undefined || delta === '') return;
    call.text += delta;
    this.events.emit('response.function_call_arguments.delta', { item_id: call.id, output_index: call.index, delta });
  }

  close(): void {
    for (const call of this.calls.values()) this.finish(call);
  }

  private finish({ id, index, callId, name, text: given }: OpenCall): void {
    const text = given === '' ? '{}' : given;
    const at = { item_id: id, output_index: index };
    this.events.emit('response.function_call_arguments.done', { ...at, name, arguments: text });
    this.events.finish(index, callItem({ id, callId, name, text, status: 'completed' }));
  }
}
