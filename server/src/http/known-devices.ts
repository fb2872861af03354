import { randomBytes, timingSafeEqual } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Secrets } from '../store/credentials/secrets.ts';

/** Seconds. */
const lifetime = 180 * 86_400;

/**
 * Browsers that signed in to an account before, by a signed cookie. The cookie authenticates nothing: tries from such a
 * browser are counted separately, so that guesses from elsewhere cannot lock the owner out.
 */
export interface KnownDevices {
  /** The browser's id, where it signed in to this account before. */
  find(request: FastifyRequest, userId: number): string | undefined;
  remember(request: FastifyRequest, reply: FastifyReply, userId: number): void;
}

const cookieName = (request: FastifyRequest): string => (request.protocol === 'https' ? '__Host-device' : 'device');

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

export const createKnownDevices = (secrets: Secrets): KnownDevices => {
  const sign = (userId: number, id: string): string => secrets.digest(`device/${userId}/${id}`);
  const find: KnownDevices['find'] = (request, userId) => {
    const [, id, signature] = /^([\w-]{22})\.([0-9a-f]{64})$/.exec(request.cookies[cookieName(request)] ?? '') ?? [];
    if (id === undefined || signature === undefined) return undefined;
    return isSame(signature, sign(userId, id)) ? id : undefined;
  };
  return {
    find,
    remember: (request, reply, userId) => {
      if (find(request, userId) !== undefined) return;
      const id = randomBytes(16).toString('base64url');
      reply.setCookie(cookieName(request), `${id}.${sign(userId, id)}`, {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: request.protocol === 'https',
        maxAge: lifetime,
      });
    },
  };
};
