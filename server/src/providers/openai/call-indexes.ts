import { type Json, objectAt, textAt } from '../../conversation/json.ts';

/** The place of each tool call in an answer, for vendors that send no `index`. Stateful: one answer. */
export class CallIndexes {
  /** By the vendor's index, or by the id if there is no index. */
  private readonly known = new Map<unknown, number>();
  private last: unknown = 0;

  get count(): number {
    return this.known.size;
  }

  /** The index of a call or of a piece of one. */
  of(call: Json): { readonly index: number; readonly isNew: boolean } {
    const name = textAt(objectAt(call, 'function'), 'name');
    // A piece with neither index nor id continues the call before it, unless it has a name.
    const key = call['index'] ?? (textAt(call, 'id') || (name === '' ? this.last : this.known.size));
    this.last = key;
    const found = this.known.get(key);
    if (found !== undefined) return { index: found, isNew: false };
    const index = this.known.size;
    this.known.set(key, index);
    return { index, isNew: true };
  }
}
