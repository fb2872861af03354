import { mailPauseSeconds } from '@weir/contract/registration';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { countWithin } from '../../store/users/attempts.ts';
import type { Database } from '../../store/database.ts';
import { createAddressLimit } from './address-limit.ts';
import { bucketOf } from './bucket.ts';

const networkRule = { name: 'mail', max: 20, seconds: 3600 } as const;
/** A mail may follow another after the pause that the buttons show, and five may come in an hour. */
const receiverRules = [
  { name: 'pause', max: 1, seconds: mailPauseSeconds },
  { name: 'hour', max: 5, seconds: 3600 },
] as const;
/** Receivers share this many counts, so that made-up addresses cannot fill the database. */
const receiversMax = 2 ** 20;

/** Limits of requests for mail. Every refusal is the same, whether an address is known or not. */
export interface MailLimits {
  /** Counts a request for a mail, sent or not, against the network it comes from. */
  enter(request: FastifyRequest): Promise<void>;
  /** Counts a mail for its recipient's address. */
  send(receiver: string): Promise<void>;
}

interface MailLimitsDeps {
  readonly db: Database;
  readonly clock: { now(): number };
}

export const createMailLimits = ({ db, clock }: MailLimitsDeps): MailLimits => {
  const networks = createAddressLimit({ db, clock, ...networkRule });
  return {
    enter: networks.enter,
    send: async (receiver) => {
      const bucket = bucketOf(receiver, receiversMax);
      const now = Math.floor(clock.now() / 1000);
      for (const { name, ...rule } of receiverRules) {
        const counted = await countWithin(db.write, { subject: `mail:${name}:${bucket}`, ...rule, now });
        if (!counted) throw new AppError('too_many_attempts');
      }
    },
  };
};
