import type { Route } from '@weir/contract/channel-route';
import { defaultGroup } from '@weir/contract/groups';
import { dialectOf } from '../../dialects/dialects.ts';
import { AppError } from '../../errors.ts';
import { explainRoute } from './explain-route.ts';
import type { RelayTools } from '../call/job.ts';

/** A call that nobody makes. Empty group and path: `default`, chat completions. */
export interface RouteQuestion {
  readonly model: string;
  readonly group: string;
  readonly path: string;
}

/** Where such a call would go now, disabled channels included. */
export const answerRoute = async (
  tools: Pick<RelayTools, 'routes' | 'translations' | 'rests'>,
  { model, group: asked, path }: RouteQuestion,
): Promise<Route> => {
  const dialect = dialectOf(path === '' ? '/v1/chat/completions' : path, '');
  if (dialect === null) throw new AppError('not_found');
  await tools.routes.ready();
  const group = asked === '' ? defaultGroup : asked;
  const channels = [...tools.routes.listing(model), ...(await tools.routes.disabled(model))];
  return { model, group, channels: explainRoute(tools, channels, { model, group, dialect }) };
};
