import { countCall } from './call/count-call.ts';
import { relayCall } from './call/relay-call.ts';
import type { RelayedCall } from './call/relayed-call.ts';
import { checkModel } from './client/token-check.ts';
import { RelayError } from './client/relay-error.ts';
import { enterLimits, enterRun } from './enter-limits.ts';
import type { RelayParts } from './assemble.ts';
import { realtimeCall } from './realtime/realtime.ts';

/** Of the calls of a user that name what is not known, one runs at a time: what they cost is known at their end. */
const alone = async ({ access, context }: RelayedCall, run: () => Promise<void>): Promise<void> => {
  const { unknownStateUsers } = context;
  const { userId } = access.payer;
  if (unknownStateUsers.has(userId)) throw new RelayError('unknown_state');
  unknownStateUsers.add(userId);
  try {
    await run();
  } finally {
    unknownStateUsers.delete(userId);
  }
};

/** What runs is returned, not awaited, here and in `modelCall`: each function that waits for an open stream takes half a kilobyte. */
const runByKind = (call: RelayedCall, { sessions }: RelayParts): Promise<void> => {
  const { dialect, namedState, upgrade } = call;
  if (upgrade !== null) return realtimeCall({ call, upgrade, sessions });
  if (dialect.count !== undefined) return countCall(call, dialect.count);
  return namedState.unknown ? alone(call, () => relayCall(call)) : relayCall(call);
};

/** Counts a call that its key allows against its limits, and runs it. */
export const enterAndRun = (call: RelayedCall, parts: RelayParts): Promise<void> => {
  checkModel(call.access, call.inbound.model);
  enterLimits(call);
  const entering = enterRun(call);
  if (entering === null) return runByKind(call, parts);
  return entering.then((run) => {
    call.run = run;
    return runByKind(call, parts);
  });
};
