import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../../errors.ts';
import { isBcrypt, matchesBcrypt } from './bcrypt.ts';

/** Parameters of argon2id (RFC 9106); memory in KiB. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's least: 19 MiB, two passes, one lane. */
const recommendedCost: PasswordCost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const tagLength = 32;
const runningMax = 4;
const waitingMax = 64;

const derive = promisify(argon2);

/** Hashes passwords off the main thread, a few at a time, so that a flood of sign-ins cannot stall the relay. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Costs the same whether the account exists or not (`encoded` is undefined). An imported one has bcrypt's price. */
  matches(password: string, encoded: string | undefined): Promise<boolean>;
  /** Whether a hash is made as new ones are; another one is replaced when its owner signs in. */
  isCurrent(encoded: string): boolean;
}

interface Encoded extends PasswordCost {
  readonly salt: Buffer;
  readonly tag: Buffer;
}

const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

const decode = (encoded: string): Encoded | undefined => {
  const [, memory, passes, parallelism, salt, tag] = format.exec(encoded) ?? [];
  if (salt === undefined || tag === undefined) return undefined;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
};

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const deriveTag = (password: string, { salt, memory, passes, parallelism }: Omit<Encoded, 'tag'>): Promise<Buffer> =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce: salt, memory, passes, parallelism, tagLength });

/** At most `runningMax` at once and `waitingMax` waiting; beyond that a call is refused. */
const createQueue = () => {
  const waiting: (() => void)[] = [];
  let running = 0;
  /** A finished computation hands its slot to the first in the queue. */
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < runningMax) running += 1;
    else if (waiting.length >= waitingMax) throw new AppError('too_many_attempts');
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      leave();
    }
  };
};

export const createPasswords = (cost = recommendedCost): Passwords => {
  const queued = createQueue();
  const unknownUser: Encoded = { ...cost, salt: randomBytes(16), tag: randomBytes(tagLength) };
  return {
    hash: async (password) => {
      const salt = randomBytes(16);
      const tag = await queued(() => deriveTag(password, { ...cost, salt }));
      const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;
      return `$argon2id$v=19$${parameters}$${base64(salt)}$${base64(tag)}`;
    },
    matches: async (password, encoded) => {
      if (encoded !== undefined && isBcrypt(encoded)) return queued(() => matchesBcrypt(password, encoded));
      const known = encoded === undefined ? undefined : decode(encoded);
      const expected = known ?? unknownUser;
      const tag = await queued(() => deriveTag(password, expected));
      return tag.length === expected.tag.length && timingSafeEqual(tag, expected.tag) && known !== undefined;
    },
    isCurrent: (encoded) => {
      const known = decode(encoded);
      return known?.memory === cost.memory && known.passes === cost.passes && known.parallelism === cost.parallelism;
    },
  };
};
