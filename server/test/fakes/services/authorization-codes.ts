import { createHash, randomBytes } from 'node:crypto';
import { type ReceivedRequest, demand } from './counterpart.ts';

interface Grant<Person> {
  readonly person: Person;
  readonly challenge: string | null;
  readonly redirectUri: string | null;
}

/** The parameters of a token request. */
export interface TokenRequest {
  readonly code: string | undefined;
  readonly verifier: string | undefined;
  readonly redirectUri?: string | undefined;
}

/** The codes and tokens of an authorization server: each code once, for who it was given to (RFC 6749, RFC 7636). */
export interface AuthorizationCodes<Person> {
  /** Sets the person who signs in. */
  person: Person;
  /** A code for the person, as the authorize page gives it. */
  grant(query: URLSearchParams): string;
  /** The token for a code; undefined: the code is none, is used up, or is not for this request. */
  redeem(request: TokenRequest): string | undefined;
  /** The person of the request's token. */
  personOf(request: ReceivedRequest): Person;
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export const createAuthorizationCodes = <Person>(person: Person): AuthorizationCodes<Person> => {
  const grants = new Map<string, Grant<Person>>();
  const tokens = new Map<string, Person>();
  const codes: AuthorizationCodes<Person> = {
    person,
    grant: (query) => {
      const challenge = query.get('code_challenge');
      demand(challenge === null || query.get('code_challenge_method') === 'S256', 'challenge without S256');
      demand(/^[\w-]{16,}$/.test(query.get('state') ?? ''), 'state too short');
      const code = randomBytes(10).toString('hex');
      grants.set(code, { person: codes.person, challenge, redirectUri: query.get('redirect_uri') });
      return code;
    },
    redeem: ({ code = '', verifier, redirectUri = null }) => {
      const grant = grants.get(code);
      grants.delete(code);
      if (grant === undefined) return undefined;
      demand(grant.redirectUri === redirectUri, `redirect_uri ${redirectUri} is not ${grant.redirectUri}`);
      demand((grant.challenge === null) === (verifier === undefined), 'a challenge and its verifier come together');
      if (verifier !== undefined) {
        demand(/^[\w.~-]{43,128}$/.test(verifier), 'malformed verifier');
        demand(challengeOf(verifier) === grant.challenge, 'the verifier is not that of the challenge');
      }
      const token = randomBytes(16).toString('hex');
      tokens.set(token, grant.person);
      return token;
    },
    personOf: ({ headers }) => {
      const found = tokens.get(/^Bearer (\w+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
      if (found === undefined) demand(false, 'no such token', { status: 401, body: { message: 'Bad credentials' } });
      return found ?? codes.person;
    },
  };
  return codes;
};

/** The authorize page: one link back to the application. */
export const authorizePage = (name: string, back: string, query: URLSearchParams, code: string): string => {
  const target = new URL(back);
  target.searchParams.set('code', code);
  target.searchParams.set('state', query.get('state') ?? '');
  const link = target.href.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!doctype html><link rel="icon" href="data:,"><title>${name}</title><h1>${name}</h1><a href="${link}">Authorize</a>`;
};
