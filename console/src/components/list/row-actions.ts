import { toast, toastFailure } from '../../lib/toasts.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { confirm } from '../overlay/overlays.ts';
import type { Confirmation } from '../overlay/overlays.ts';
import type { BulkAction } from '../table/data-table-types.ts';

/** Shows the outcome of a change as a toast. Resolves to whether it succeeded. */
export const report = async (change: Promise<unknown>): Promise<boolean> => {
  try {
    await change;
    toast('success', m.operation_done());
    return true;
  } catch (error) {
    toastFailure(error);
    return false;
  }
};

/** Deletes one row after a confirmation. Resolves to whether it was deleted. */
export const confirmRemoval = async (
  question: Pick<Confirmation, 'title' | 'text' | 'verb'>,
  remove: () => Promise<void>,
): Promise<boolean> => (await confirm({ ...question, danger: true })) && report(remove());

interface BulkRemoval<Row> {
  readonly title: (inputs: { count: number }) => string;
  readonly text: Message;
  readonly verb: Message;
  readonly nameOf: (row: Row) => string;
  readonly run: (row: Row) => Promise<void>;
}

/** Deletes the selected rows after one confirmation that names them. */
export const bulkRemoval = <Row>({ title, text, verb, nameOf, run }: BulkRemoval<Row>): BulkAction<Row> => ({
  text: m.delete,
  icon: 'trash',
  danger: true,
  run,
  allow: (rows) =>
    confirm({ title: title({ count: rows.length }), text: text(), verb: verb(), danger: true, list: rows.map(nameOf) }),
});
