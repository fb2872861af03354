import { hash, randomUUID } from 'node:crypto';
import type { HttpRequest } from '../../http/plain/exchange.ts';
import type { BlockList } from 'node:net';
import { role } from '@weir/contract/roles';
import { neverExpires, tokenStatus } from '@weir/contract/tokens';
import type { Accounts } from '../../billing/accounts.ts';
import type { Payer } from '../../billing/stored-hold.ts';
import { isWithin, rangesOf } from '../../http/ranges.ts';
import { isTokenKey } from '../../store/credentials/token-key.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { Database } from '../../store/database.ts';
import { hasForeignKeys } from '../../store/foreign-keys.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import { findTokenOfKey, type TokenOfKey } from '../../store/token-rolls.ts';
import { markExhausted, markExpired } from '../../store/tokens.ts';
import { RelayError, type RelayErrorCode } from './relay-error.ts';

/** The user of a token, and what the token permits. */
export interface Access {
  readonly payer: Payer;
  readonly tokenName: string;
  readonly username: string;
  readonly role: number;
  readonly group: string;
  /** Models that the token may use; null: all. */
  readonly models: ReadonlySet<string> | null;
  /** The channel suffix of the key as it was written; null: none. */
  readonly pinned: string | null;
}

interface RefusedKeyFacts {
  readonly access?: Access;
  readonly keyTail?: string;
  readonly values?: RelayError['values'];
}

/** A refusal of a key, with what is known of its token. */
export class RefusedKey extends RelayError {
  /** Null: no token has the key. */
  readonly access: Access | null;
  /** The last characters of a key that no token has; never enough to call with. */
  readonly keyTail: string;

  constructor(code: RelayErrorCode, { access, keyTail = '', values }: RefusedKeyFacts) {
    super(code, values);
    this.name = 'RefusedKey';
    this.access = access ?? null;
    this.keyTail = keyTail;
  }
}

export interface TokenCheck {
  /** Throws or rejects with `RelayError`, in the order and words of wire contract 3.1. A key in memory needs no wait. */
  check(request: HttpRequest): Access | Promise<Access>;
  close(): void;
}

export interface TokenCheckDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly changes: Changes;
  readonly accounts: Accounts;
  readonly clock: { now(): number };
  /** The client's own address, behind the trusted proxies. */
  addressOf(request: HttpRequest): string;
  onError(error: unknown): void;
}

/** Data of a token that is kept between requests. */
interface KnownToken {
  /** Of a key without a channel suffix. */
  readonly access: Access;
  readonly status: number;
  readonly ownerStatus: number;
  /** Unix seconds; -1: never. */
  readonly expires: number;
  /** Unix seconds until which the key works, as it was replaced; 0: it is the token's present key. */
  readonly validUntil: number;
  readonly subnet: string;
  readonly ranges: BlockList | null;
}

const knownMax = 100_000;

const toKnown = ({ row, validUntil }: TokenOfKey): KnownToken => ({
  access: {
    payer: {
      userId: row.user_id,
      tokenId: row.id,
      tokenLimited: row.unlimited_quota !== 1,
      ...(row.member_id > 0 && { memberId: row.member_id }),
    },
    tokenName: row.name,
    username: row.username,
    role: row.owner_role,
    group: row.owner_group,
    models: row.models === '' ? null : new Set(row.models.split(',')),
    pinned: null,
  },
  status: row.status,
  ownerStatus: row.owner_status,
  expires: row.expired_time,
  validUntil,
  subnet: row.subnet,
  ranges: row.subnet === '' ? null : rangesOf(row.subnet.split(',')),
});

/** The facts of a request besides its key. */
interface KeyUse {
  readonly pinned: string | null;
  readonly request: HttpRequest;
}

/** Clients of other vendors send the key alone, each in a header of its own. */
const keyHeaders = ['x-api-key', 'x-goog-api-key', 'api-key'] as const;

/** Clients of Gemini may write the key into the address. */
const keyInAddress = (url: string | undefined): string | undefined => {
  if (url === undefined || !/^\/v1(?:beta)?\/models[^?]*\?/.test(url)) return undefined;
  return new URLSearchParams(url.slice(url.indexOf('?'))).get('key') ?? undefined;
};

/** Browsers can send no header with a WebSocket: there the key is one of the protocols that they name. */
const keyInProtocol = (protocols: string | undefined): string | undefined =>
  /(?:^|,)\s*openai-insecure-api-key\.([^\s,]+)/.exec(protocols ?? '')?.[1];

const keyOf = ({ headers, url }: HttpRequest): string | undefined => {
  // Some clients send an empty one beside the header of their vendor.
  if (readKey(headers.authorization).key !== '') return headers.authorization;
  const name = keyHeaders.find((header) => typeof headers[header] === 'string');
  return name === undefined
    ? (keyInAddress(url) ?? keyInProtocol(headers['sec-websocket-protocol']))
    : String(headers[name]);
};

/** `Bearer sk-KEY-CHANNEL`: the first two parts may be missing, the last pins a channel (wire contract 1.13). */
const readKey = (authorization: string | undefined): { readonly key: string; readonly pinned: string | null } => {
  const text = (authorization ?? '').replace(/^Bearer(?: +|$)/i, '').replace(/^sk-/, '');
  const dash = text.indexOf('-');
  if (dash < 0) return { key: text, pinned: null };
  const pinned = text.slice(dash + 1).split('-', 1)[0] ?? '';
  return { key: text.slice(0, dash), pinned: pinned === '' ? null : pinned };
};

const checkAddress = ({ access, ranges, subnet }: KnownToken, address: string): void => {
  if (ranges === null || isWithin(ranges, address)) return;
  throw new RefusedKey('token_subnet', { access, values: { subnet, address } });
};

const checkStatus = ({ access, status }: KnownToken): void => {
  const values = { name: access.tokenName, id: access.payer.tokenId };
  if (status === tokenStatus.exhausted) throw new RefusedKey('token_used_up', { access, values });
  if (status === tokenStatus.expired) throw new RefusedKey('token_expired', { access });
  if (status !== tokenStatus.enabled) throw new RefusedKey('token_unavailable', { access });
};

/** `now` in unix seconds. Kept tokens are asked too: a replaced key stops at its time without a notice. */
const checkReplaced = ({ access, validUntil }: KnownToken, now: number): void => {
  if (validUntil === 0 || now < validUntil) return;
  throw new RefusedKey('token_rolled', { access, values: { name: access.tokenName, id: access.payer.tokenId } });
};

/** Shorter keys are guessed from their ends. */
const tailedMin = 20;
const tailLength = 4;

const tailOf = (key: string): string => (key.length < tailedMin ? '' : key.slice(-tailLength));

/**
 * Tokens that were used, as long as they and their owner do not change. They are kept by a salted hash of their key,
 * which costs a tenth of the keyed digest of the database and reveals as little.
 */
const createTokenCache = async ({ db, secrets, changes }: TokenCheckDeps) => {
  const foreignKeys = await hasForeignKeys(db.read);
  const salt = randomUUID();
  const known = new Map<string, KnownToken>();
  let generation = 0;
  const forget = (concerns: (token: KnownToken) => boolean) => {
    generation++;
    for (const [hashed, token] of known) if (concerns(token)) known.delete(hashed);
  };
  const unsubscribe = [
    changes.subscribe('token', ({ id }) => forget(({ access }) => id === 0 || access.payer.tokenId === id)),
    changes.subscribe('user', ({ id }) => forget(({ access }) => id === 0 || access.payer.userId === id)),
  ];
  const load = async (key: string, hashed: string): Promise<KnownToken | null> => {
    if (!foreignKeys && !isTokenKey(key)) return null;
    const before = generation;
    const found = await findTokenOfKey(db, secrets.digest(key));
    if (found === undefined) return null;
    const token = toKnown(found);
    if (known.size >= knownMax) known.clear();
    if (generation === before) known.set(hashed, token);
    return token;
  };
  return {
    find: (key: string): KnownToken | Promise<KnownToken | null> => {
      const hashed = hash('sha256', salt + key, 'base64');
      return known.get(hashed) ?? load(key, hashed);
    },
    close: () => {
      for (const end of unsubscribe) end();
    },
  };
};

/** Checks keys against tokens held in memory; a key that is no key of ours in form costs no look into the database. */
export const createTokenCheck = async (deps: TokenCheckDeps): Promise<TokenCheck> => {
  const { accounts, addressOf, changes, clock, db, onError } = deps;
  const cache = await createTokenCache(deps);

  const mark = ({ access }: KnownToken, write: (id: number) => Promise<unknown>) => {
    const id = access.payer.tokenId;
    write(id).then(() => changes.publish({ topic: 'token', id }), onError);
  };
  /** Checks that need the balance, and those that the contract has after them. */
  const finish = (token: KnownToken, { pinned, request }: KeyUse): Access => {
    if (accounts.remain(token.access.payer) <= 0) {
      mark(token, (id) => markExhausted(db, id));
      throw new RefusedKey('token_empty', token);
    }
    if (token.ranges !== null) checkAddress(token, addressOf(request));
    if (token.ownerStatus !== 1) throw new RefusedKey('user_banned', token);
    return pinned === null ? token.access : { ...token.access, pinned };
  };
  const judge = (token: KnownToken, use: KeyUse): Access | Promise<Access> => {
    const now = clock.now() / 1000;
    checkReplaced(token, now);
    checkStatus(token);
    if (token.expires !== neverExpires && token.expires < now) {
      mark(token, (id) => markExpired(db, { id, now: Math.ceil(now) }));
      throw new RefusedKey('token_expired', token);
    }
    const loading = accounts.ready(token.access.payer);
    return loading === null ? finish(token, use) : loading.then(() => finish(token, use));
  };

  return {
    check: (request) => {
      const { key, pinned } = readKey(keyOf(request));
      if (key === '') throw new RelayError('token_missing');
      const checked = (token: KnownToken | null) => {
        if (token === null) throw new RefusedKey('token_invalid', { keyTail: tailOf(key) });
        return judge(token, { pinned, request });
      };
      const found = cache.find(key);
      return found instanceof Promise ? found.then(checked) : checked(found);
    },
    close: cache.close,
  };
};

/** Checks that come after the body was read: the model, then the pinned channel. */
export const checkModel = (access: Access, model: string): void => {
  if (access.models !== null && !access.models.has(model)) throw new RelayError('model_forbidden', { model });
  if (access.pinned !== null && access.role < role.admin) throw new RelayError('channel_forbidden');
};
