import { createHash, randomBytes } from 'node:crypto';
import type {} from '@fastify/cookie';
import { role } from '@weir/contract/roles';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../store/database.ts';
import { deleteSession, deleteSessionsOf, findSession, insertSession, touchSession } from '../store/sessions.ts';

/** Seconds. An administrator's session is short-lived and ends when it is left alone (NIST 800-63B, AAL2). */
const lifetime = { user: 30 * 86_400, admin: 86_400, adminIdle: 3600 } as const;
/** A session is noted as seen at most this often, in seconds. */
const touchEvery = 60;

/** A signed-in browser. */
export interface Session {
  readonly digest: string;
  readonly userId: number;
}

export interface Sessions {
  /** Starts a session, sets its cookie and ends the one that the browser had: its value is never kept. */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    user: { readonly id: number; readonly role: number },
  ): Promise<void>;
  find(request: FastifyRequest): Promise<Session | undefined>;
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

export const createSessions = ({ db, clock }: SessionsDeps): Sessions => {
  const seconds = () => Math.floor(clock.now() / 1000);
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
  return {
    open: async (request, reply, user) => {
      const value = randomBytes(32).toString('base64url');
      const at = seconds();
      const maxAge = user.role >= role.admin ? lifetime.admin : lifetime.user;
      const session = {
        digest: digestOf(value),
        user_id: user.id,
        created_at: at,
        seen_at: at,
        expires_at: at + maxAge,
        data: '',
      };
      const previous = digestIn(request);
      if (previous !== undefined) await deleteSession(db, previous);
      await insertSession(db, session);
      setCookie(request, reply, value, maxAge);
    },
    find: async (request) => {
      const digest = digestIn(request);
      if (digest === undefined) return undefined;
      const at = seconds();
      const row = await findSession(db, digest, at);
      if (row === undefined || row.user_id === 0) return undefined;
      const shortLived = row.expires_at - row.created_at <= lifetime.admin;
      if (shortLived && at - row.seen_at > lifetime.adminIdle) return undefined;
      if (at - row.seen_at > touchEvery) await touchSession(db, digest, at);
      return { digest, userId: row.user_id };
    },
    close: async (request, reply) => {
      const digest = digestIn(request);
      if (digest !== undefined) await deleteSession(db, digest);
      setCookie(request, reply, '', 0);
    },
    closeAll: async (userId, keepDigest = '') => {
      await deleteSessionsOf(db.query, { userId, keep: keepDigest });
    },
  };
};
