import type { Answer, StreamEvent } from '../conversation/answer.ts';
import type { AssistantPart } from '../conversation/conversation.ts';

/** Collects the parts of an answer. Stateful: one stream. */
class Parts {
  readonly all: AssistantPart[] = [];
  /** Positions of tool calls by their index. */
  private readonly calls = new Map<number, number>();

  add(event: StreamEvent): void {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        return this.addText(event.kind, event.text);
      case 'reasoning':
        return this.addReasoning(event.text);
      case 'signature':
        return this.sign(event.signature, event.redacted);
      case 'image': {
        const { mime, base64 } = event;
        this.all.push({ kind: 'image', source: { kind: 'data', mime, base64 }, detail: null });
        return;
      }
      case 'tool_start': {
        const { id, name, signature } = event;
        this.calls.set(event.index, this.all.length);
        this.all.push({ kind: 'tool_call', id, name, arguments: '', ...(signature !== undefined && { signature }) });
        return;
      }
      case 'tool_arguments':
        return this.addArguments(event.index, event.text);
      case 'start':
      case 'usage':
      case 'finish':
    }
  }

  private addText(kind: 'text' | 'refusal', text: string): void {
    const last = this.all.at(-1);
    if (last?.kind === kind) this.all[this.all.length - 1] = { ...last, text: last.text + text };
    else this.all.push({ kind, text });
  }

  private addReasoning(text: string): void {
    const last = this.all.at(-1);
    if (last?.kind === 'reasoning' && last.signature === '')
      this.all[this.all.length - 1] = { ...last, text: last.text + text };
    else this.all.push({ kind: 'reasoning', text, signature: '' });
  }

  private sign(signature: string, redacted: true | undefined): void {
    const last = this.all.at(-1);
    if (last?.kind === 'reasoning' && last.signature === '' && redacted === undefined)
      this.all[this.all.length - 1] = { ...last, signature };
    else this.all.push({ kind: 'reasoning', text: '', signature, ...(redacted && { redacted }) });
  }

  private addArguments(index: number, text: string): void {
    const at = this.calls.get(index) ?? -1;
    const call = this.all[at];
    if (call?.kind === 'tool_call') this.all[at] = { ...call, arguments: call.arguments + text };
  }
}

/** Builds a whole answer from the events of a complete stream. */
export const collectedAnswer = (events: readonly StreamEvent[]): Answer => {
  const parts = new Parts();
  for (const event of events) parts.add(event);
  const start = events.find((event) => event.kind === 'start');
  const finish = events.find((event) => event.kind === 'finish');
  return {
    id: start?.id ?? '',
    parts: parts.all,
    finish: finish?.finish ?? 'stop',
    ...(finish?.stopText !== undefined && { stopText: finish.stopText }),
    usage: events.findLast((event) => event.kind === 'usage')?.usage ?? null,
  };
};
