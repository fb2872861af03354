import type { PlainAnswer } from './attempt.ts';
import type { RelayContext } from './relay-context.ts';
import type { RelayedCall } from './relayed-call.ts';
import { responseHeaders } from '../client/response-headers.ts';
import { countsFor, type AttemptBilling, settle } from './settlement.ts';

/** Charges a whole answer and then sends it: no client has an answer that was not paid for. */
export const deliverPlain = async (
  context: RelayContext,
  call: RelayedCall,
  { answer, response }: PlainAnswer,
  billing: AttemptBilling,
): Promise<void> => {
  // Who asked for a stream has a hold on its way, and it may be refused yet.
  if (call.inbound.stream) await billing.budget.secured();
  const { metered } = billing.terms;
  const output = {
    empty: () => response.output() === '',
    total: () => context.tokens.text(billing.terms.model, response.output()),
  };
  const reported = metered === null ? response.usage : { prompt: metered, completion: 0, total: metered };
  await settle(context, call, billing, {
    cut: null,
    measured: { reported, ...countsFor(call, output), complete: true },
  });
  // What was written anew does not say what the upstream's own answer was, as that something was created.
  const status = response.contentType === undefined ? answer.status : 200;
  call.client.answer(status, responseHeaders(answer.headers, response.contentType), response.body);
};
