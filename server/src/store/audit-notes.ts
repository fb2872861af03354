import { appendAudits, type AuditEntry } from './audit.ts';
import type { Database } from './database.ts';

/** Entries of the audit log about what changes no other row, written a moment later and many at once. */
export interface AuditNotes {
  /** Null: no need to wait. Otherwise too many entries are queued, and this resolves when some were written. */
  note(entry: AuditEntry): Promise<void> | null;
  /** Resolves once everything that was noted is written, or could not be. */
  close(): Promise<void>;
}

export interface AuditNotesDeps {
  readonly db: Pick<Database, 'write'>;
  /** Called with entries that could not be written and are lost. */
  onError(error: unknown): void;
}

/** Entries of one transaction: other writers of the audit log wait for it. */
const batchMax = 200;
const waitingMax = 10_000;

export const createAuditNotes = ({ db, onError }: AuditNotesDeps): AuditNotes => {
  const waiting: AuditEntry[] = [];
  let writing: Promise<void> | null = null;

  const writeAll = async (): Promise<void> => {
    // Notes of the same moment are written together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax);
      try {
        await db.write.transaction().execute((trx) => appendAudits(trx, batch));
      } catch (error) {
        onError(error);
      }
    }
    writing = null;
  };

  return {
    note: (entry) => {
      waiting.push(entry);
      writing ??= writeAll();
      return waiting.length < waitingMax ? null : writing;
    },
    close: () => writing ?? Promise.resolve(),
  };
};
