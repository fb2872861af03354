import { logType } from '@weir/contract/logs';
import type { Price } from '../billing/price.ts';
import type { ChargedUsage } from '../billing/usage.ts';
import type { NewLog } from '../store/postings.ts';
import type { Access } from './token-check.ts';

/** One try of one channel, for the log's detail. */
export interface AttemptNote {
  readonly channel: number;
  /** The upstream's status; 0: it gave none. */
  readonly status: number;
  readonly ms: number;
}

export interface ConsumeFacts {
  readonly requestId: string;
  readonly access: Access;
  /** After redirection: what was priced and asked for. */
  readonly model: string;
  readonly requestedModel: string;
  readonly channelId: number;
  readonly stream: boolean;
  readonly systemPromptReset: boolean;
  readonly price: Price;
  readonly usage: ChargedUsage;
  /** Quota units. */
  readonly quota: number;
  readonly held: number;
  readonly attempts: readonly AttemptNote[];
  /** How the answer ended, where it did not end as the upstream meant it. */
  readonly cut: string | null;
  readonly startedMs: number;
  readonly nowMs: number;
}

/** Everything that is needed to check the charge by hand: (prompt + completion × c) × m × g, rounded up. */
const detailOf = (facts: ConsumeFacts): string => {
  const { price, usage, attempts, cut } = facts;
  return JSON.stringify({
    ratios: price.ratios,
    price_version: price.version,
    held: facts.held,
    attempts,
    ...(usage.estimated && { estimated: true }),
    ...(!price.modelKnown && { model_unpriced: true }),
    ...(!price.groupKnown && { group_unpriced: true }),
    ...(facts.requestedModel !== facts.model && { requested_model: facts.requestedModel }),
    ...(cut !== null && { cut }),
  });
};

/** The log row of one charged request (wire contract 3.10). */
export const consumeLog = (facts: ConsumeFacts): NewLog => {
  const { access, usage, nowMs } = facts;
  return {
    user_id: access.payer.userId,
    created_at: Math.floor(nowMs / 1000),
    type: logType.consume,
    content: facts.price.summary,
    username: access.username,
    token_id: access.payer.tokenId,
    token_name: access.tokenName,
    model_name: facts.model,
    quota: facts.quota,
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    channel_id: facts.channelId,
    request_id: facts.requestId,
    elapsed_time: Math.max(0, Math.round(nowMs - facts.startedMs)),
    is_stream: facts.stream ? 1 : 0,
    system_prompt_reset: facts.systemPromptReset ? 1 : 0,
    detail: detailOf(facts),
  };
};
