import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { clearAttempts, countAttempt, type AttemptRule } from '../../store/users/attempts.ts';
import type { Database } from '../../store/database.ts';
import { createAddressLimit } from './address-limit.ts';
import { bucketOf } from './bucket.ts';

/** Ten guesses at an account; then each next one waits twice as long as the one before, from 2 s to 15 minutes. */
const accountRule: AttemptRule = { free: 10, delays: [2, 4, 8, 16, 32, 64, 128, 256, 512, 900] };
const addressRule = { name: 'login', max: 30, seconds: 10 * 60 } as const;
/** Names that no account has share this many counts, so that made-up ones cannot fill the database. */
const unknownNames = 65_536;

export interface LoginAttempt {
  readonly request: FastifyRequest;
  readonly name: string;
  /** The account of that name, if there is one. */
  readonly userId: number | undefined;
  /** The id of a browser that signed in to this account before. */
  readonly device: string | undefined;
}

/** Slows guessing down; the account's owner can sign in again after the wait. */
export interface LoginLimits {
  /** Counts an attempt before its password is looked at, so that guesses made at once are counted one by one. */
  enter(attempt: LoginAttempt): Promise<void>;
  succeeded(attempt: LoginAttempt): Promise<void>;
}

interface LoginLimitsDeps {
  readonly db: Database;
  readonly clock: { now(): number };
}

/**
 * The name and the e-mail address of an account are one subject, apart from each browser that signed in to it before;
 * an unknown name is counted like an account.
 */
const subjectOf = ({ name, userId, device }: LoginAttempt): string => {
  if (userId !== undefined && device !== undefined) return `login:device:${userId}:${device}`;
  if (userId !== undefined) return `login:user:${userId}`;
  return `login:name:${bucketOf(name, unknownNames)}`;
};

export const createLoginLimits = ({ db, clock }: LoginLimitsDeps): LoginLimits => {
  const addresses = createAddressLimit({ db, clock, ...addressRule });
  return {
    enter: async (attempt) => {
      // A known browser has a count of its own, which its neighbours cannot use up.
      if (attempt.device === undefined) await addresses.enter(attempt.request);
      const now = Math.floor(clock.now() / 1000);
      const counted = await countAttempt(db, { subject: subjectOf(attempt), rule: accountRule, now });
      if (!counted) throw new AppError('too_many_attempts');
    },
    succeeded: async (attempt) => {
      if (attempt.device === undefined) await addresses.forgive(attempt.request);
      await clearAttempts(db, subjectOf(attempt));
    },
  };
};
