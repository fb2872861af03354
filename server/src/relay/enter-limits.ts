import { heldPromptTokens } from '../billing/counting/rough-tokens.ts';
import { runHeaders } from '@weir/contract/limits/run-rules';
import type { Inbound } from '../dialects/dialect.ts';
import type { Access } from './client/token-check.ts';
import type { CallLimits } from './rates/call-limits.ts';
import type { RelayContext } from './call/relay-context.ts';
import type { RelayedCall } from './call/relayed-call.ts';
import { readRunHeaders } from './runs/run-headers.ts';
import type { RunOfCall } from './runs/runs.ts';

/** Tokens that count against limits until the charge is known: the prompt, and the output that the request limits. */
const reservedTokens = ({ promptBytes, outputLimit, choices }: Inbound): number =>
  heldPromptTokens(promptBytes) + (outputLimit ?? 0) * choices;

/** The limits of a call; null: there are no rules. The rules must be loaded. */
export const limitsOf = ({ rateLimits }: RelayContext, { payer, group }: Access, inbound: Inbound): CallLimits | null =>
  rateLimits.of({
    tokenId: payer.tokenId,
    userId: payer.userId,
    group,
    model: inbound.model,
    reserve: () => reservedTokens(inbound),
  });

/** Counts the call against its limits, or refuses it, and tells the client how they stand. */
export const enterLimits = ({ client, context, dialect, rates }: RelayedCall): void => {
  if (rates === null) return;
  rates.admit();
  const headers = rates.headers(dialect.limitsAsInstants === true, context.clock.now());
  for (let index = 0; index + 1 < headers.length; index += 2)
    client.addHeader(headers[index] ?? '', headers[index + 1] ?? '');
};

/** Counts the call in the run that its headers name; null: they name none, or counting tokens is no work of a run. */
export const enterRun = ({ context, dialect, message, payer }: RelayedCall): Promise<RunOfCall> | null => {
  if (dialect.count !== undefined || message.headers[runHeaders.id] === undefined) return null;
  const named = readRunHeaders(message.headers);
  return named === null ? null : context.runs.enter(payer, named);
};
