import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, publicText, statusOf } from '../errors.ts';
import { discardBody } from './discard-body.ts';
import { languageOf } from './language.ts';

/** Failures of Fastify itself, before a handler runs, as errors of this API. */
const fromFramework = (error: FastifyError): AppError | undefined => {
  const { statusCode = 500 } = error;
  if (statusCode === 413) return new AppError('too_large');
  return statusCode >= 400 && statusCode < 500 ? new AppError('invalid_parameter', {}, error) : undefined;
};

/**
 * A body that cannot be read is a bad request to the option call, and an ordinary failure everywhere else. Pages and
 * files are no calls: what the framework refuses there keeps its status.
 */
const statusFor = ({ code }: AppError, thrown: FastifyError, request: FastifyRequest): number => {
  const { endpoint } = request.routeOptions.config;
  if (code !== 'invalid_parameter' && code !== 'invalid_input') return statusOf(code);
  return endpoint === undefined ? (thrown.statusCode ?? 400) : (endpoint.malformed ?? statusOf(code));
};

/** Turns every failure of the management API into an answer. Causes are logged, never sent. */
export const renderError = (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const known = thrown instanceof AppError ? thrown : fromFramework(thrown);
  const error = known ?? new AppError('internal', { requestId: request.id }, thrown);
  if (error.code === 'internal' || error.code === 'unavailable') {
    request.log.error({ err: thrown }, 'management request failed');
  }
  if (error.code === 'too_large') {
    // The framework would close the connection.
    reply.header('connection', 'keep-alive');
    discardBody(request.raw);
  }
  // The contract's refusal for too many attempts has no body; consoles show a text of their own.
  if (error.code === 'too_many_attempts') return reply.code(429).send();
  const message = publicText(error, languageOf(request.headers['accept-language']));
  return reply.code(statusFor(error, thrown, request)).send({ success: false, message });
};
