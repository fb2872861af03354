import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import { clearAttempts, countAttempt, countWithin, type AttemptRule } from '../../store/users/attempts.ts';
import type { Database } from '../../store/database.ts';
import { networkOf } from '../network.ts';
import { createAddressLimit } from './address-limit.ts';
import { bucketOf } from './bucket.ts';

/** Ten guesses at an account from one network; then each next one waits, up to a minute. */
const networkRule: AttemptRule = { free: 10, delays: [2, 4, 8, 16, 32, 60] };
/** The same while the account is guessed at from many networks: two, then one a minute. */
const alertRule: AttemptRule = { free: 1, delays: [60] };
/** Guesses at one account within a day, from unknown browsers, after which it is guessed at from many networks. */
const alertAfter = { max: 100, seconds: 24 * 60 * 60 } as const;
const addressRule = { name: 'login', max: 10, seconds: 60 } as const;
/** Names without an account, and the networks of one account, share so many counts: made-up ones cannot fill the database. */
const bucketsMax = 65_536;

export interface LoginAttempt {
  readonly request: FastifyRequest;
  readonly name: string;
  /** The account of that name, if there is one. */
  readonly userId: number | undefined;
  /** The id of a browser that signed in to this account before. */
  readonly device: string | undefined;
}

/**
 * Slows guessing down. A wait is of the network that guessed, and never longer than a minute: guesses from elsewhere
 * cannot keep the owner of an account out.
 */
export interface LoginLimits {
  /** Counts an attempt before its password is looked at, so that guesses made at once are counted one by one. */
  enter(attempt: LoginAttempt): Promise<void>;
  succeeded(attempt: LoginAttempt): Promise<void>;
}

interface LoginLimitsDeps {
  readonly db: Database;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly clock: { now(): number };
}

/**
 * The name and the e-mail address of an account are one subject; an unknown name is counted like an account.
 */
const accountOf = ({ name, userId }: LoginAttempt): string =>
  userId === undefined ? `login:name:${bucketOf(name, bucketsMax)}` : `login:user:${userId}`;

export const createLoginLimits = ({ db, secrets, clock }: LoginLimitsDeps): LoginLimits => {
  const addresses = createAddressLimit({ db, clock, ...addressRule });

  /**
   * Each browser that signed in before has a count of its own, and each network: which of them share one is secret, so
   * that no network can be chosen for its count.
   */
  const subjectOf = (attempt: LoginAttempt): string => {
    if (attempt.device !== undefined) return `${accountOf(attempt)}:device:${attempt.device}`;
    const network = networkOf(attempt.request) ?? '';
    return `${accountOf(attempt)}:network:${bucketOf(secrets.digest(`login/${network}`), bucketsMax)}`;
  };

  return {
    enter: async (attempt) => {
      const now = Math.floor(clock.now() / 1000);
      let rule = networkRule;
      // A known browser has a count of its own, which its neighbours cannot use up.
      if (attempt.device === undefined) {
        await addresses.enter(attempt.request);
        if (!(await countWithin(db.write, { subject: accountOf(attempt), ...alertAfter, now }))) rule = alertRule;
      }
      const counted = await countAttempt(db, { subject: subjectOf(attempt), rule, now });
      if (!counted) throw new AppError('too_many_attempts');
    },
    succeeded: async (attempt) => {
      if (attempt.device === undefined) await addresses.forgive(attempt.request);
      await clearAttempts(db, subjectOf(attempt));
    },
  };
};
