import * as v from 'valibot';
import type { Outbound } from './outbound.ts';
import { readJson } from './read-json.ts';

/** A message pusher: a full URL that takes messages, and its token. */
export interface PusherAddress {
  readonly address: string;
  readonly token: string;
}

export interface PushedMessage {
  readonly title: string;
  /** HTML. */
  readonly content: string;
}

const answer = v.object({ success: v.boolean(), message: v.optional(v.string(), '') });

/** Sends one message (wire contract 5.4). Rejects where it was not accepted. */
export const createMessagePusher =
  (call: Outbound) =>
  async ({ address, token }: PusherAddress, { title, content }: PushedMessage): Promise<void> => {
    const { status, text } = await call({
      method: 'POST',
      url: address,
      json: { title, description: content, content, url: '', channel: '', token },
    });
    const taken = readJson(answer, text);
    if (status !== 200 || taken === undefined) throw new Error(`the message pusher returned status ${status}`);
    if (!taken.success) throw new Error(`the message pusher rejected the message: ${taken.message}`);
  };
