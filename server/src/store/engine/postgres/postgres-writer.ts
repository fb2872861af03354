import { DatabaseError } from 'pg';
import { AppError } from '../../../errors.ts';
import { delay, systemTimers } from '../../ledger/event-loop-timers.ts';
import { createPostingWriter, type BatchOutcome, type PostingWriter } from '../posting-writer.ts';
import { sharedLockWaitMs, type PostingUnit } from '../posting-queue.ts';
import { createPostgresLink, type LinkOptions } from './postgres-reconnect.ts';
import { createRecentAccounts } from './recent-accounts.ts';
import { keepsConnection, transact, transactNew } from './postgres-transact.ts';

/** Two nodes that met in a deadlock try again at different times. */
const retryMaxMs = 20;

/** Commits postings in groups, one after the other, on a connection of its own and through losses of that connection. */
export const startPostgresWriter = (options: LinkOptions): PostingWriter => {
  const link = createPostgresLink(options);

  const recent = createRecentAccounts(systemTimers.now);
  const { identity } = options;
  /** The last attempt may have been done, or not: what is tried next was tried before. */
  let isRepeat = false;

  const attempt = async (units: readonly PostingUnit[], lockWaitMs: number): Promise<BatchOutcome> => {
    const client = await link.get();
    if (link.ended()) return { kind: 'failed', error: new AppError('unavailable') };
    if (client === undefined) return { kind: 'again' };
    const postings = units.map((unit) => unit.posting);
    const isNew = !isRepeat && lockWaitMs === sharedLockWaitMs;
    const ended = await (isNew
      ? transactNew(client, postings, { identity, recent })
      : transact(client, postings, { identity, lockWaitMs }));
    isRepeat = ended.kind === 'again';
    if (ended.kind === 'again' && !keepsConnection(ended.error)) link.drop();
    if (ended.kind === 'again' && ended.error instanceof DatabaseError) {
      await delay(systemTimers, retryMaxMs * Math.random());
    }
    return ended;
  };
  return createPostingWriter({ attempt, close: link.close, timers: systemTimers });
};
