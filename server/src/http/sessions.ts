import { createHash, randomBytes } from 'node:crypto';
import type {} from '@fastify/cookie';
import { role } from '@weir/contract/roles';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Database } from '../store/database.ts';
import {
  changeSessionData,
  deleteSession,
  deleteSessionsOf,
  endSessionAt,
  findSession,
  insertSession,
  type SessionRow,
  touchSession,
} from '../store/users/sessions.ts';

/**
 * Seconds. An administrator's session is short-lived and ends when idle (NIST 800-63B, AAL2); one without a signed-in
 * user lasts as long as a sign-in may take.
 */
const lifetime = { user: 30 * 86_400, admin: 86_400, adminIdle: 3600, signedOut: 3600 } as const;
/** A session is noted as seen at most this often, in seconds. */
const touchEvery = 60;
/** Changes of one session's memory that are tried again because another one came first. */
const changesMax = 20;

/** A signed-in browser. */
export interface Session {
  readonly digest: string;
  readonly userId: number;
}

/** Values that sessions keep besides the signed-in user, each by its own name. */
export type MemorySlot = 'oauth' | 'human';

export interface Sessions {
  /**
   * Starts a session, sets its cookie and ends the one that the browser had: its value is never kept, or for `linger`
   * seconds, where the browser may have to ask again because it never saw the answer. The values of the old one are
   * deleted with it. Resolves to the new one.
   */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    user: { readonly id: number; readonly role: number },
    linger?: number,
  ): Promise<Session>;
  /** The session of a signed-in user. */
  find(request: FastifyRequest): Promise<Session | undefined>;
  /** The browser's session, with or without a signed-in user (user 0: none). */
  look(request: FastifyRequest): Promise<Session | undefined>;
  /** The same; a browser without one gets one without a signed-in user. */
  begin(request: FastifyRequest, reply: FastifyReply): Promise<Session>;
  /** The value of a slot of a session; undefined: none. */
  recall(session: Session, slot: MemorySlot): Promise<unknown>;
  /**
   * Changes what a session remembers in a slot, in one step: `change` is given what is there, and is called anew where
   * another change came first. False: the session is over.
   */
  remember(session: Session, slot: MemorySlot, change: (now: unknown) => unknown): Promise<boolean>;
  /** Ends the browser's session, if it has one, and removes its cookie. */
  close(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Ends every session of a user but the named one. */
  closeAll(userId: number, keepDigest?: string): Promise<void>;
}

interface SessionsDeps {
  readonly db: Database;
  readonly clock: { now(): number };
}

const digestOf = (value: string): string => createHash('sha256').update(value).digest('hex');

/** The prefix makes a browser accept the cookie over https only, for this host only; plain http cannot have it. */
const cookieName = (request: FastifyRequest): string => (request.protocol === 'https' ? '__Host-session' : 'session');

const digestIn = (request: FastifyRequest): string | undefined => {
  const value = request.cookies[cookieName(request)];
  return value === undefined || value === '' ? undefined : digestOf(value);
};

const setCookie = (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number) =>
  reply.setCookie(cookieName(request), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: request.protocol === 'https',
    maxAge,
  });

const lifetimeOf = (user: { readonly id: number; readonly role: number }): number => {
  if (user.id === 0) return lifetime.signedOut;
  return user.role >= role.admin ? lifetime.admin : lifetime.user;
};

const signedOutUser = { id: 0, role: 0 } as const;

const slotsIn = (data: string): Readonly<Record<string, unknown>> => {
  const slots: unknown = data === '' ? {} : JSON.parse(data);
  return typeof slots === 'object' && slots !== null ? { ...slots } : {};
};

interface SessionStore {
  insert(
    request: FastifyRequest,
    reply: FastifyReply,
    user: { readonly id: number; readonly role: number },
  ): Promise<Session>;
  /** The row of the browser's session, unless it ended or was idle for too long. */
  current(request: FastifyRequest): Promise<SessionRow | undefined>;
}

const createStore = (db: Database, seconds: () => number): SessionStore => ({
  insert: async (request, reply, user) => {
    const value = randomBytes(32).toString('base64url');
    const at = seconds();
    const maxAge = lifetimeOf(user);
    const digest = digestOf(value);
    const times = { created_at: at, seen_at: at, expires_at: at + maxAge };
    await insertSession(db, { digest, user_id: user.id, ...times, data: '' });
    setCookie(request, reply, value, maxAge);
    return { digest, userId: user.id };
  },
  current: async (request) => {
    const digest = digestIn(request);
    if (digest === undefined) return undefined;
    const at = seconds();
    const row = await findSession(db, digest, at);
    if (row === undefined) return undefined;
    const shortLived = row.expires_at - row.created_at <= lifetime.admin;
    if (shortLived && at - row.seen_at > lifetime.adminIdle) return undefined;
    if (at - row.seen_at > touchEvery) await touchSession(db, digest, at);
    return row;
  },
});

const sessionOf = (row: SessionRow): Session => ({ digest: row.digest, userId: row.user_id });

export const createSessions = ({ db, clock }: SessionsDeps): Sessions => {
  const seconds = () => Math.floor(clock.now() / 1000);
  const store = createStore(db, seconds);
  const look: Sessions['look'] = async (request) => {
    const row = await store.current(request);
    return row === undefined ? undefined : sessionOf(row);
  };
  return {
    open: async (request, reply, user, linger) => {
      const previous = digestIn(request);
      if (previous !== undefined && linger === undefined) await deleteSession(db, previous);
      if (previous !== undefined && linger !== undefined) await endSessionAt(db, previous, seconds() + linger);
      return store.insert(request, reply, user);
    },
    find: async (request) => {
      const session = await look(request);
      return session === undefined || session.userId === 0 ? undefined : session;
    },
    look,
    begin: async (request, reply) => (await look(request)) ?? (await store.insert(request, reply, signedOutUser)),
    recall: async ({ digest }, slot) => {
      const row = await findSession(db, digest, seconds());
      return row === undefined ? undefined : slotsIn(row.data)[slot];
    },
    remember: async ({ digest }, slot, change) => {
      for (let tried = 0; tried < changesMax; tried += 1) {
        const row = await findSession(db, digest, seconds());
        if (row === undefined) return false;
        const slots = slotsIn(row.data);
        const to = JSON.stringify({ ...slots, [slot]: change(slots[slot]) });
        if (await changeSessionData(db, { digest, from: row.data, to })) return true;
      }
      throw new AppError('unavailable');
    },
    close: async (request, reply) => {
      const digest = digestIn(request);
      if (digest !== undefined) await deleteSession(db, digest);
      setCookie(request, reply, '', 0);
    },
    closeAll: async (userId, keepDigest = '') => {
      await deleteSessionsOf(db.write, { userId, keep: keepDigest });
    },
  };
};
