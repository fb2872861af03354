import type { Finish, StreamEvent } from '../../conversation/answer.ts';
import type { Json } from '../../conversation/json.ts';
import type { Usage } from '../../conversation/usage.ts';
import type { AnswerFacts, EventWriter } from '../dialect.ts';
import {
  callItem,
  itemId,
  keepResponse,
  messageItem,
  outputText,
  reasoningItem,
  responseObject,
  type ResponseState,
} from './responses-answer.ts';

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

/**
 * Writes one response. Items open with their first piece; a message and reasoning close when another item begins,
 * calls at the end, since their pieces may interleave.
 */
class ResponseWriter implements EventWriter {
  private readonly facts: AnswerFacts;
  private sequence = 0;
  private text = '';
  private started = false;
  private open: OpenMessage | OpenReasoning | null = null;
  private readonly calls = new Map<number, OpenCall>();
  private readonly output: Json[] = [];
  private usage: Usage | null = null;
  private finish: Finish | null = null;

  constructor(facts: AnswerFacts) {
    this.facts = facts;
  }

  write(events: readonly StreamEvent[]): Buffer | null {
    for (const event of events) this.one(event);
    return this.text === '' ? null : this.taken();
  }

  end(): Buffer {
    this.start();
    this.closeOpen();
    for (const call of this.calls.values()) this.closeCall(call);
    const response = this.response('ended');
    keepResponse(this.facts, this.output);
    this.emit(response['status'] === 'completed' ? 'response.completed' : 'response.incomplete', { response });
    return this.taken();
  }

  private taken(): Buffer {
    const bytes = Buffer.from(this.text);
    this.text = '';
    return bytes;
  }

  private emit(type: string, members: Json): void {
    const data = JSON.stringify({ type, sequence_number: this.sequence, ...members });
    this.sequence += 1;
    this.text += `event: ${type}\ndata: ${data}\n\n`;
  }

  private response(status: ResponseState['status']): Json {
    const { facts, finish, output, usage } = this;
    return responseObject(facts, { status, finish: finish ?? 'stop', output, usage });
  }

  private one(event: StreamEvent): void {
    if (event.kind === 'usage') {
      this.usage = event.usage;
      return;
    }
    this.start();
    if (this.finish === null) this.content(event);
  }

  private content(event: StreamEvent): void {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        if (event.text !== '') this.addText(event.kind, event.text);
        break;
      case 'reasoning':
        if (event.text !== '') this.addReasoning(event.text);
        break;
      case 'signature':
        this.reasoning().signature += event.signature;
        break;
      case 'tool_start':
        this.startCall(event.index, event);
        break;
      case 'tool_arguments':
        this.addArguments(event.index, event.text);
        break;
      case 'finish':
        this.finish = event.finish;
        break;
      case 'start':
      case 'usage':
      case 'image':
        break;
    }
  }

  private start(): void {
    if (this.started) return;
    this.started = true;
    this.emit('response.created', { response: this.response('in_progress') });
    this.emit('response.in_progress', { response: this.response('in_progress') });
  }

  /** Reserves the index of an item, whatever item ends first. */
  private added(item: Json): number {
    const index = this.output.push(item) - 1;
    this.emit('response.output_item.added', { output_index: index, item });
    return index;
  }

  private done(index: number, item: Json): void {
    this.output[index] = item;
    this.emit('response.output_item.done', { output_index: index, item });
  }

  private message(): OpenMessage {
    if (this.open?.kind === 'message') return this.open;
    this.closeOpen();
    const id = itemId('msg', this.facts.requestId, this.output.length);
    const index = this.added(messageItem(id, 'in_progress', []));
    const message: OpenMessage = { kind: 'message', id, index, content: [], part: null };
    this.open = message;
    return message;
  }

  private addText(kind: 'text' | 'refusal', delta: string): void {
    const message = this.message();
    const item = { item_id: message.id, output_index: message.index };
    if (message.part?.kind !== kind) {
      this.closePart(message);
      message.part = { kind, text: '' };
      const part = kind === 'text' ? outputText('') : { type: 'refusal', refusal: '' };
      this.emit('response.content_part.added', { ...item, content_index: message.content.length, part });
    }
    message.part.text += delta;
    const at = { ...item, content_index: message.content.length, delta };
    if (kind === 'text') this.emit('response.output_text.delta', { ...at, logprobs: [] });
    else this.emit('response.refusal.delta', at);
  }

  private closePart(message: OpenMessage): void {
    const { id, index, content, part } = message;
    if (part === null) return;
    const at = { item_id: id, output_index: index, content_index: content.length };
    const { kind, text } = part;
    if (kind === 'text') this.emit('response.output_text.done', { ...at, text, logprobs: [] });
    else this.emit('response.refusal.done', { ...at, refusal: text });
    const whole = kind === 'text' ? outputText(text) : { type: 'refusal', refusal: text };
    this.emit('response.content_part.done', { ...at, part: whole });
    content.push(whole);
    message.part = null;
  }

  private reasoning(): OpenReasoning {
    if (this.open?.kind === 'reasoning') return this.open;
    this.closeOpen();
    const id = itemId('rs', this.facts.requestId, this.output.length);
    const index = this.added(reasoningItem(id, '', ''));
    const reasoning: OpenReasoning = { kind: 'reasoning', id, index, text: '', signature: '' };
    this.open = reasoning;
    return reasoning;
  }

  private addReasoning(delta: string): void {
    const reasoning = this.reasoning();
    const at = { item_id: reasoning.id, output_index: reasoning.index, summary_index: 0 };
    if (reasoning.text === '')
      this.emit('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } });
    reasoning.text += delta;
    this.emit('response.reasoning_summary_text.delta', { ...at, delta });
  }

  private closeOpen(): void {
    const { open } = this;
    this.open = null;
    if (open?.kind === 'message') {
      this.closePart(open);
      this.done(open.index, messageItem(open.id, 'completed', open.content));
    }
    if (open?.kind === 'reasoning') this.closeReasoning(open);
  }

  private closeReasoning({ id, index, text, signature }: OpenReasoning): void {
    if (text !== '') {
      const at = { item_id: id, output_index: index, summary_index: 0 };
      this.emit('response.reasoning_summary_text.done', { ...at, text });
      this.emit('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } });
    }
    this.done(index, reasoningItem(id, text, signature));
  }

  private startCall(call: number, { id: given, name }: { readonly id: string; readonly name: string }): void {
    this.closeOpen();
    const id = itemId('fc', this.facts.requestId, this.output.length);
    const callId = given === '' ? `call_${call}` : given;
    const index = this.added(callItem({ id, callId, name, text: '', status: 'in_progress' }));
    this.calls.set(call, { kind: 'call', id, index, callId, name, text: '' });
  }

  private addArguments(index: number, delta: string): void {
    const call = this.calls.get(index);
    if (call === undefined || delta === '') return;
    call.text += delta;
    this.emit('response.function_call_arguments.delta', { item_id: call.id, output_index: call.index, delta });
  }

  private closeCall({ id, index, callId, name, text: given }: OpenCall): void {
    const text = given === '' ? '{}' : given;
    const at = { item_id: id, output_index: index };
    this.emit('response.function_call_arguments.done', { ...at, name, arguments: text });
    this.done(index, callItem({ id, callId, name, text, status: 'completed' }));
  }
}

/** Writes a stream as the events of a response. */
export const responseStream = (facts: AnswerFacts): EventWriter => new ResponseWriter(facts);
