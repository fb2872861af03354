import { responseHeaders } from '../client/response-headers.ts';
import type { PlainAnswer } from './attempt-result.ts';
import type { RelayedCall } from './relayed-call.ts';
import { type AttemptBilling, countsFor, settle } from './settlement.ts';
import { usageBounds } from './usage-bounds.ts';

/** Charges a whole answer and then sends it: no client gets an answer that is not charged. */
export const deliverPlain = async (
  call: RelayedCall,
  { answer, response }: PlainAnswer,
  billing: AttemptBilling,
): Promise<void> => {
  // The request was for a stream: its hold is being written, and may still be refused.
  if (call.inbound.stream) await billing.budget.secured();
  const { metered, model } = billing.terms;
  const output = {
    empty: () => response.output() === '',
    total: () => call.context.tokens.text(model, response.output()),
  };
  const measured =
    metered === null
      ? { reported: response.usage, bounds: usageBounds(call, billing.channel, () => response.output().length) }
      : { reported: { prompt: metered, completion: 0, total: metered } };
  await settle(call, billing, { cut: null, measured: { ...measured, ...countsFor(call, output), complete: true } });
  // A converted answer does not repeat the upstream's own status, such as 201.
  const status = response.contentType === undefined ? answer.status : 200;
  call.client.answer(status, responseHeaders(call.dialect, answer.headers, response.contentType), response.body);
};
