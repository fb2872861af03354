import { randomInt } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { saveCode, takeCode, tryCode } from '../../store/users/codes.ts';
import type { Database, DatabaseTransaction } from '../../store/database.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';

/** Seconds. */
const lifetime = 600;
const triesMax = 5;

/** Codes that prove the ownership of an e-mail address: six digits, five tries, ten minutes, used once. */
export interface EmailCodes {
  /** Makes the code of an address; the one before ends. */
  issue(address: string): Promise<string>;
  /** Counts a try. Throws `code_invalid` unless the code is the address's. */
  check(address: string, code: string): Promise<void>;
  /** Uses a checked code up, in the transaction of what it allows. Throws `code_invalid` where it was used meanwhile. */
  use(trx: DatabaseTransaction, address: string, code: string): Promise<void>;
}

interface EmailCodesDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: { now(): number };
}

export const createEmailCodes = ({ db, secrets, clock }: EmailCodesDeps): EmailCodes => {
  const codeOf = (subject: string, code: string) => ({
    purpose: 'email' as const,
    subject,
    digest: secrets.digest(`email code/${subject}/${code.trim()}`),
    now: Math.floor(clock.now() / 1000),
  });
  return {
    issue: async (address) => {
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      await saveCode(db.write, { ...codeOf(address, code), lifetime });
      return code;
    },
    check: async (address, code) => {
      if (!(await tryCode(db, { ...codeOf(address, code), triesMax }))) throw new AppError('code_invalid');
    },
    use: async (trx, address, code) => {
      if (!(await takeCode(trx, codeOf(address, code)))) throw new AppError('code_invalid');
    },
  };
};
