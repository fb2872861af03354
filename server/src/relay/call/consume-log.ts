import { logType } from '@weir/contract/logs';
import type { HoldHistory } from '../../billing/reservation.ts';
import type { ChargedUsage } from '../../billing/price/usage.ts';
import { type NewLog, unknownCost } from '../../store/logs/log-columns.ts';
import type { ImagePrice } from '../../dialects/dialect.ts';
import type { AttemptTerms } from './call-funds.ts';
import type { RelayedCall } from './relayed-call.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';

/** The result of a charge. */
export interface ChargeFacts {
  readonly usage: ChargedUsage;
  /** Quota units. */
  readonly quota: number;
  readonly held: number;
  readonly history: HoldHistory;
  /** How the answer ended, if not as the upstream intended. */
  readonly cut: string | null;
  readonly nowMs: number;
  readonly images: ImagePrice | undefined;
  /** The vendor's, in nano-dollars; null: not known. */
  readonly cost: number | null;
}

/** Everything that is needed to check the charge by hand; `billing/price/explain-charge.ts` reads it. */
const detailOf = (
  { attempts, facts, inbound }: RelayedCall,
  { price, model, outputCap }: AttemptTerms,
  { usage, held, history, cut, images }: ChargeFacts,
): string => {
  const tried = attempts.map(({ channel, status, ms }) => `{"channel":${channel},"status":${status},"ms":${ms}}`);
  let detail = `{${price.detail},"held":${held},"attempts":[${tried.join(',')}]`;
  if (history.extensions > 0) detail += `,"reserved":${history.reserved},"extensions":${history.extensions}`;
  if (usage.parts !== undefined && Object.keys(usage.parts).length > 0)
    detail += `,"parts":${JSON.stringify(usage.parts)}`;
  if (usage.estimated) detail += `,"estimated":true,"counted":${JSON.stringify(usage.counted)}`;
  if (inbound.model !== model) detail += `,"requested_model":${JSON.stringify(inbound.model)}`;
  if (images !== undefined) detail += `,"images":{"count":${images.count},"thousandths":${images.thousandths}}`;
  if (facts.queuedMs > 0) detail += `,"queued":${facts.queuedMs}`;
  if (outputCap !== null) detail += `,"output_cap":${outputCap}`;
  if (cut !== null) detail += `,"cut":"${cut}"`;
  return `${detail}}`;
};

/** As `2 × 1.125`. */
const wordsOf = ({ count, thousandths }: ImagePrice): string => `${count} × ${thousandths / 1000}`;

/** The log row of one charged request (wire contract 3.10). */
export const consumeLog = (
  call: RelayedCall,
  terms: AttemptTerms,
  channel: RoutedChannel,
  facts: ChargeFacts,
): NewLog => {
  const { access, inbound, requestId, startedMs } = call;
  const { usage, nowMs, images } = facts;
  return {
    user_id: access.payer.userId,
    created_at: Math.floor(nowMs / 1000),
    type: logType.consume,
    content: images === undefined ? terms.price.summary : `${terms.price.summary}, images: ${wordsOf(images)}`,
    username: access.username,
    token_id: access.payer.tokenId,
    token_name: access.tokenName,
    model_name: terms.model,
    quota: facts.quota,
    prompt_tokens: images === undefined ? usage.prompt : 0,
    completion_tokens: usage.completion,
    channel_id: channel.id,
    request_id: requestId,
    elapsed_time: Math.max(0, Math.round(nowMs - startedMs)),
    is_stream: inbound.stream ? 1 : 0,
    system_prompt_reset: channel.systemPrompt !== '' && inbound.hasSystem() ? 1 : 0,
    detail: detailOf(call, terms, facts),
    cost: facts.cost ?? unknownCost,
    run_id: call.run?.id ?? 0,
    run_step: call.run?.step ?? '',
  };
};
