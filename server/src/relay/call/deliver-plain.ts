import type { PlainAnswer } from './attempt.ts';
import type { Job, RelayTools } from './job.ts';
import { responseHeaders } from '../client/response-headers.ts';
import { heardOr, type Paid, settle } from './settlement.ts';

/** Charges a whole answer and then sends it: no client has an answer that was not paid for. */
export const deliverPlain = async (
  tools: RelayTools,
  job: Job,
  { answer, response }: PlainAnswer,
  paid: Paid,
): Promise<void> => {
  // Who asked for a stream has a hold on its way, and it may be refused yet.
  if (job.inbound.stream) await paid.funding.secured();
  const { metered } = paid.terms;
  const output = {
    empty: () => response.output() === '',
    total: () => tools.tokens.text(paid.terms.model, response.output()),
  };
  const reported = metered === null ? response.usage : { prompt: metered, completion: 0, total: metered };
  await settle(tools, job, paid, {
    cut: null,
    measured: { reported, ...heardOr(job, output), complete: true },
  });
  // What was written anew does not say what the upstream's own answer was, as that something was created.
  const status = response.contentType === undefined ? answer.status : 200;
  job.client.answer(status, responseHeaders(answer.headers, response.contentType), response.body);
};
