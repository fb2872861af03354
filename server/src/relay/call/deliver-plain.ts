import type { Usage } from '../../conversation/usage.ts';
import type { Metered } from '../../dialects/dialect.ts';
import { responseHeaders } from '../client/response-headers.ts';
import type { PlainAnswer } from './attempt-result.ts';
import type { RelayedCall } from './relayed-call.ts';
import { type AttemptBilling, countsFor, keepGiven, settle } from './settlement.ts';
import { usageBounds } from './usage-bounds.ts';

/** Prompt and output tokens of one image call, at most: larger reports are errors of the upstream. */
const imageTokensMax = 2_000_000;

const isImageCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= imageTokensMax;

/** Whether images cost the tokens that the upstream reports. */
const reportsImages = ({ images }: Metered, usage: Usage | null): boolean =>
  images !== undefined && isImageCount(usage?.prompt) && isImageCount(usage?.completion);

const boundsFor = (call: RelayedCall, { channel, terms }: AttemptBilling, response: PlainAnswer['response']) =>
  terms.metered === null ? { bounds: usageBounds(call, channel, () => response.output().length) } : {};

/** Charges a whole answer and then sends it: no client gets an answer that is not charged. */
export const deliverPlain = async (
  call: RelayedCall,
  { answer, response }: PlainAnswer,
  billing: AttemptBilling,
): Promise<void> => {
  // The request was for a stream: its hold is being written, and may still be refused.
  if (call.inbound.stream) await billing.funds.secured();
  const { metered, model } = billing.terms;
  const output = {
    empty: () => response.output() === '',
    total: () => call.context.tokens.text(model, response.output()),
  };
  const flat = metered === null || reportsImages(metered, response.usage) ? null : metered;
  const measured =
    flat === null
      ? { reported: response.usage, ...boundsFor(call, billing, response) }
      : { reported: { prompt: flat.tokens, completion: 0, total: flat.tokens } };
  const usage = await settle(call, billing, {
    cut: null,
    measured: { ...measured, ...countsFor(call, output), complete: true },
    ...(flat?.images && { images: flat.images }),
  });
  const keeping = keepGiven(call, billing, usage);
  if (keeping !== null) await keeping;
  const body = (usage.estimated ? response.withUsage?.(usage) : undefined) ?? response.body;
  // A converted answer does not repeat the upstream's own status, such as 201.
  const status = response.contentType === undefined ? answer.status : 200;
  call.client.answer(status, responseHeaders(call.dialect, answer.headers, response.contentType), body);
};
