import type { Route } from '@weir/contract/channel-route';
import { defaultGroup } from '@weir/contract/groups';
import { dialectOf } from '../../dialects/dialects.ts';
import { AppError } from '../../errors.ts';
import { explainRoute } from './explain-route.ts';
import type { RelayContext } from '../call/relay-context.ts';

/** A call that nobody makes. Empty group and path: `default`, chat completions. */
export interface RouteQuestion {
  readonly model: string;
  readonly group: string;
  readonly path: string;
}

/** Where such a call would go now, disabled channels included. */
export const answerRoute = async (
  context: Pick<RelayContext, 'routes' | 'translations' | 'breaker'>,
  { model, group: asked, path }: RouteQuestion,
): Promise<Route> => {
  const dialect = dialectOf(path === '' ? '/v1/chat/completions' : path, '');
  if (dialect === null) throw new AppError('not_found');
  await context.routes.ready();
  const group = asked === '' ? defaultGroup : asked;
  const channels = [...context.routes.listing(model), ...(await context.routes.disabled(model))];
  return { model, group, channels: explainRoute(context, channels, { model, group, dialect }) };
};
