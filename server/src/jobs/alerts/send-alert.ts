import type { AlertMessage, DestinationKind } from '@weir/contract/alerts/alerts';
import { chatProtocols } from '../../integrations/alerts/chat-requests.ts';
import { webhookHeaders } from '../../integrations/alerts/webhook-signature.ts';
import { type Mail, mailName } from '../../integrations/mail.ts';
import { createMessagePusher } from '../../integrations/message-pusher.ts';
import type { Outbound } from '../../integrations/outbound.ts';
import type { DestinationConfig } from '../../store/alerts/alert-destinations.ts';
import type { Options } from '../../store/options.ts';
import { asMail } from '../notices.ts';
import { alertNotice, alertText } from './alert-text.ts';

/** One try of one message. */
export interface AlertDelivery {
  /** The same at every try. */
  readonly id: string;
  readonly kind: DestinationKind;
  readonly config: DestinationConfig;
  readonly message: AlertMessage;
}

/** Rejects where the message was not taken; the reason has no secret of the destination. */
export type SendAlert = (delivery: AlertDelivery) => Promise<void>;

export interface SendAlertDeps {
  readonly outbound: Outbound;
  readonly mail: Mail;
  readonly options: Options;
  readonly clock: { now(): number };
}

/** Milliseconds: a mail server may answer each of many steps late. */
const mailMaxMs = 60_000;

const withinTime = async (work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the mail server takes too long')), mailMaxMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
};

export const createSendAlert = ({ outbound, mail, options, clock }: SendAlertDeps): SendAlert => {
  const push = createMessagePusher(outbound);
  const byWebhook = async ({ id, config, message }: AlertDelivery): Promise<void> => {
    const body = JSON.stringify(message);
    const signed = { id, timestamp: Math.floor(clock.now() / 1000), body };
    const headers = webhookHeaders(config.secret, signed);
    const { status } = await outbound({ method: 'POST', url: config.address, jsonText: body, headers });
    if (status < 200 || status > 299) throw new Error(`status ${status}`);
  };
  return async (delivery) => {
    const { kind, config, message } = delivery;
    if (kind === 'webhook') return byWebhook(delivery);
    if (kind === 'mail') {
      const frame = asMail(alertNotice(message, options), mailName(options));
      return withinTime(mail.send({ to: config.address, ...frame }));
    }
    if (kind === 'pusher') {
      const { subject, html } = alertNotice(message, options);
      return push({ address: config.address, token: config.secret }, { title: subject, content: html });
    }
    const protocol = chatProtocols[kind];
    const answer = await outbound(protocol.request(config, alertText(message, options), clock.now()));
    const refusal = protocol.refusal(answer);
    if (refusal !== undefined) throw new Error(refusal);
  };
};
