import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { RouteDeps } from '../../http/route.ts';
import type { VerifyHuman } from '../../integrations/turnstile.ts';

interface HumanCheckDeps extends Pick<RouteDeps, 'options' | 'sessions'> {
  readonly verifyHuman: VerifyHuman;
}

interface HumanCheckRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The response of the widget. */
  readonly token: string;
}

/**
 * Host names of this gateway from outside; empty while the server address is unset, since a proxy may have another
 * `Host`.
 */
const hostsOf = (request: FastifyRequest, serverAddress: string): string[] =>
  URL.canParse(serverAddress) ? [request.hostname, new URL(serverAddress).hostname] : [];

/**
 * The human-verification step of wire contract 2.2, while it is switched on: once per session, which remembers it.
 * Throws where it was not solved.
 */
export type HumanCheck = (check: HumanCheckRequest) => Promise<void>;

export const createHumanCheck =
  ({ options, sessions, verifyHuman }: HumanCheckDeps): HumanCheck =>
  async ({ request, reply, token }) => {
    if (!options.get('TurnstileCheckEnabled')) return;
    const known = await sessions.look(request);
    if (known !== undefined && (await sessions.recall(known, 'human')) === true) return;
    if (token === '') throw new AppError('human_check_missing');
    const hosts = hostsOf(request, options.get('ServerAddress'));
    if (!(await verifyHuman({ token, address: request.ip, hosts }))) throw new AppError('human_check_failed');
    const session = await sessions.begin(request, reply);
    await sessions.remember(session, 'human', () => true);
  };
