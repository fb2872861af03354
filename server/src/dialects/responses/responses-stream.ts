import type { Finish, StreamEvent } from '../../conversation/answer.ts';
import { eventsWithCarriedSignatures } from '../../conversation/call-signatures.ts';
import type { Json } from '../../conversation/json.ts';
import type { Usage } from '../../conversation/usage.ts';
import type { AnswerFacts, EventWriter } from '../dialect.ts';
import { keepResponse, responseObject, type ResponseState } from './responses-answer.ts';
import { CallItems, ResponseEvents, TextItems } from './response-events.ts';

/** Writes one response. */
class ResponseWriter implements EventWriter {
  private readonly facts: AnswerFacts;
  private readonly events = new ResponseEvents();
  private readonly texts: TextItems;
  private readonly calls: CallItems;
  private started = false;
  private usage: Usage | null = null;
  private finish: Finish | null = null;

  constructor(facts: AnswerFacts) {
    this.facts = facts;
    this.texts = new TextItems(this.events, facts.requestId);
    this.calls = new CallItems(this.events, facts.requestId);
  }

  write(events: readonly StreamEvent[]): Buffer | null {
    for (const event of eventsWithCarriedSignatures(events)) this.one(event);
    return this.events.take();
  }

  end(): Buffer {
    this.start();
    this.texts.close();
    this.calls.close();
    const response = this.response('ended');
    keepResponse(this.facts, this.events.output);
    const type = response['status'] === 'completed' ? 'response.completed' : 'response.incomplete';
    this.events.emit(type, { response });
    return this.events.take() ?? Buffer.alloc(0);
  }

  private response(status: ResponseState['status']): Json {
    const { facts, finish, usage } = this;
    const { output } = this.events;
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
        if (event.text !== '') this.texts.addText(event.kind, event.text);
        break;
      case 'reasoning':
        if (event.text !== '') this.texts.addReasoning(event.text);
        break;
      case 'signature':
        this.texts.addSignature(event.signature);
        break;
      case 'tool_start':
        this.texts.close();
        this.calls.start(event.index, event);
        break;
      case 'tool_arguments':
        this.calls.addArguments(event.index, event.text);
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
    this.events.emit('response.created', { response: this.response('in_progress') });
    this.events.emit('response.in_progress', { response: this.response('in_progress') });
  }
}

/** Writes a stream as the events of a response. */
export const responseStream = (facts: AnswerFacts): EventWriter => new ResponseWriter(facts);
