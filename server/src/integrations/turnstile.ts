import type { OptionKey } from '@weir/contract/options';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import type { Outbound } from './outbound.ts';
import { readJson } from './read-json.ts';

export interface TurnstileDeps {
  readonly outbound: Outbound;
  readonly options: { text(key: OptionKey): string };
  /** The base URL of siteverify, without a slash at the end. */
  readonly turnstileUrl: string;
}

/** The token of the widget, and the hosts that may have shown it. */
export interface Solution {
  readonly token: string;
  /** The IP address of the visitor. */
  readonly address: string;
  /** The host names of this gateway; empty: they are not known. */
  readonly hosts: readonly string[];
}

/** Whether a human solved the widget here. Throws `human_check_unreachable`. */
export type VerifyHuman = (solution: Solution) => Promise<boolean>;

/** `hostname` is where the widget was solved: a token of another site is invalid for this one. */
const answerSchema = v.object({ success: v.boolean(), hostname: v.nullish(v.string(), '') });

/** Cloudflare's siteverify (wire contract 5.5); it accepts each token once. */
export const createTurnstile =
  ({ outbound, options, turnstileUrl }: TurnstileDeps): VerifyHuman =>
  async ({ token, address, hosts }) => {
    const form = { secret: options.text('TurnstileSecretKey'), response: token, remoteip: address };
    const call = { method: 'POST', url: `${turnstileUrl}/turnstile/v0/siteverify`, form } as const;
    const { text } = await outbound(call).catch((error: unknown) => {
      throw new AppError('human_check_unreachable', {}, error);
    });
    const answer = readJson(answerSchema, text);
    if (answer === undefined) throw new AppError('human_check_unreachable');
    const { success, hostname } = answer;
    return success && (hostname === '' || hosts.length === 0 || hosts.includes(hostname));
  };
