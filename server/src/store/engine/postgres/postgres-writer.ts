import { DatabaseError } from 'pg';
import { AppError } from '../../../errors.ts';
import { delay, systemTimers } from '../../ledger/event-loop-timers.ts';
import { createPostingWriter, type BatchOutcome, type PostingWriter } from '../posting-writer.ts';
import type { PostingUnit } from '../posting-queue.ts';
import { createPostgresLink, type LinkOptions } from './postgres-reconnect.ts';
import { keepsConnection, transact } from './postgres-transact.ts';

/** Two nodes that met in a deadlock try again at different times. */
const retryMaxMs = 20;

/** Commits postings in groups, one after the other, on a connection of its own and through losses of that connection. */
export const startPostgresWriter = (options: LinkOptions): PostingWriter => {
  const link = createPostgresLink(options);

  const attempt = async (units: readonly PostingUnit[], lockWaitMs: number): Promise<BatchOutcome> => {
    const client = await link.get();
    if (link.ended()) return { kind: 'failed', error: new AppError('unavailable') };
    if (client === undefined) return { kind: 'again' };
    const postings = units.map((unit) => unit.posting);
    const ended = await transact(client, postings, { identity: options.identity, lockWaitMs });
    if (ended.kind === 'again' && !keepsConnection(ended.error)) link.drop();
    if (ended.kind === 'again' && ended.error instanceof DatabaseError) {
      await delay(systemTimers, retryMaxMs * Math.random());
    }
    return ended;
  };
  return createPostingWriter({ attempt, close: link.close, timers: systemTimers });
};
