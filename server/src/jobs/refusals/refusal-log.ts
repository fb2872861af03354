import type { RefusedCall } from '../../relay/call/relay-observer.ts';
import { createRefusalCounts } from './refusal-counts.ts';
import { textMax, toWaiting } from './refusal-records.ts';
import { createRefusalWindow } from './refusal-window.ts';
import { createRefusalWriter, type RefusalWriterDeps } from './refusal-writer.ts';

/**
 * Counts all refused calls and keeps a record of some, in memory first: the answer of a call waits for nothing of this,
 * and no posting shares a transaction with it.
 */
export interface RefusalLog {
  note(call: RefusedCall): void;
  /** Ends once everything is written that can be. */
  close(): Promise<void>;
}

const unknownUser = { userId: 0, tokenId: 0 };
const noSource = { address: '', network: '' };

export const createRefusalLog = (deps: RefusalWriterDeps): RefusalLog => {
  const { clock, metrics, options } = deps;
  const counts = createRefusalCounts(metrics.refusalsLost);
  const writer = createRefusalWriter(deps, counts);
  const window = createRefusalWindow();

  return {
    note: (call) => {
      metrics.refused(call.rule);
      if (!options.get('LogRefusalEnabled')) return;
      const { access, model, requestId, rule } = call;
      const at = Math.floor(clock.now() / 1000);
      const { userId, tokenId } = access?.payer ?? unknownUser;
      const { address, network } = access === null ? call.source() : noSource;
      const counted = counts.add({ userId, tokenId, network, rule, requestId, at });
      const source = `${userId}/${tokenId}/${network}/${rule}/${model.slice(0, textMax)}`;
      const isKept = options.get('LogRefusalRowsMax') > 0 && writer.hasRoom();
      if (isKept && window.takes({ source, isKnown: userId > 0, minute: Math.floor(at / 60) }))
        writer.keep(toWaiting(call, at, { address, network: counted }));
      writer.wake();
    },
    close: writer.close,
  };
};
