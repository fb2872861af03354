import type { StreamEvent } from '../../conversation/answer.ts';
import { isObject, type Json, objectAt, parseJson, textAt } from '../../conversation/json.ts';
import { badBody, reportedFailure } from '../failure.ts';
import type { EventReader, ReadStep } from '../provider.ts';
import { failureOf, finishOf, reasoningGap, usageOf } from './responses-output.ts';

const nothing: ReadStep = { events: [] };

interface OpenCall {
  readonly index: number;
  hasArguments: boolean;
}

/** Stateful: one streamed response. Without its last event it is incomplete. */
class ResponseReader implements EventReader {
  /** Tool calls by the `output_index` of their items. */
  private readonly calls = new Map<unknown, OpenCall>();
  /** An earlier part of the current summary was already emitted. */
  private hasSummary = false;

  event(data: string | null): ReadStep {
    if (data === null) return nothing;
    const event = parseJson(data);
    if (!isObject(event))
      return { events: [], failure: badBody('the upstream sent an event that is not a JSON object') };
    return this.read(event);
  }

  finished(): boolean {
    return false;
  }

  private read(event: Json): ReadStep {
    const response = objectAt(event, 'response');
    switch (event['type']) {
      case 'error':
        return { events: [], failure: reportedFailure({ error: event }) ?? badBody('the upstream sent an error') };
      case 'response.failed':
        return { events: [], failure: failureOf(response) ?? badBody('the response failed') };
      case 'response.created':
        return { events: [{ kind: 'start', id: textAt(response, 'id') }] };
      case 'response.completed':
      case 'response.incomplete':
        return { events: this.end(response), done: true };
      default:
        return { events: this.piece(event) };
    }
  }

  private piece(event: Json): readonly StreamEvent[] {
    const text = textAt(event, 'delta');
    switch (event['type']) {
      case 'response.output_text.delta':
        return [{ kind: 'text', text }];
      case 'response.refusal.delta':
        return [{ kind: 'refusal', text }];
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return [{ kind: 'reasoning', text }];
      case 'response.reasoning_summary_part.added':
        return this.summary();
      case 'response.output_item.added':
        return this.begin(event['output_index'], objectAt(event, 'item'));
      case 'response.function_call_arguments.delta':
        return this.argumentsPiece(event['output_index'], text);
      case 'response.output_item.done':
        return this.complete(event['output_index'], objectAt(event, 'item'));
      default:
        return [];
    }
  }

  private summary(): readonly StreamEvent[] {
    const events: readonly StreamEvent[] = this.hasSummary ? [{ kind: 'reasoning', text: reasoningGap }] : [];
    this.hasSummary = true;
    return events;
  }

  private begin(itemIndex: unknown, item: Json): readonly StreamEvent[] {
    this.hasSummary = false;
    if (item['type'] !== 'function_call') return [];
    const index = this.calls.size;
    this.calls.set(itemIndex, { index, hasArguments: false });
    return [{ kind: 'tool_start', index, id: textAt(item, 'call_id'), name: textAt(item, 'name') }];
  }

  private argumentsPiece(itemIndex: unknown, text: string): readonly StreamEvent[] {
    const call = this.calls.get(itemIndex);
    if (call === undefined || text === '') return [];
    call.hasArguments = true;
    return [{ kind: 'tool_arguments', index: call.index, text }];
  }

  /** The output of an item that was not streamed in pieces. */
  private complete(itemIndex: unknown, item: Json): readonly StreamEvent[] {
    const signature = item['type'] === 'reasoning' ? textAt(item, 'encrypted_content') : '';
    if (signature !== '') return [{ kind: 'signature', signature }];
    return this.calls.get(itemIndex)?.hasArguments === false
      ? this.argumentsPiece(itemIndex, textAt(item, 'arguments'))
      : [];
  }

  private end(response: Json): readonly StreamEvent[] {
    const usage = usageOf(response);
    return [
      ...(usage === null ? [] : [{ kind: 'usage', usage } as const]),
      { kind: 'finish', finish: finishOf(response, this.calls.size > 0) },
    ];
  }
}

/** Reads a streamed response. */
export const responseEvents = (): EventReader => new ResponseReader();
