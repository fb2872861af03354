import { explainRefusal, type Refusal, refusalSchema } from '@weir/contract/logs';
import { can } from '@weir/contract/roles';
import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import { route, type Routes } from '../../http/route.ts';
import { findRefusal, type RefusalRow } from '../../store/refusals/refusal-list.ts';
import { seesRecord } from '../teams/team-access.ts';

const detailSchema = v.pick(refusalSchema, ['route', 'attempts']);

const explain = (row: RefusalRow, similar: number): Refusal => ({
  log_id: row.id,
  request_id: row.request_id,
  created_at: row.created_at,
  rule: row.rule,
  status: row.status,
  message: row.message,
  path: row.path,
  user_id: row.user_id,
  token_id: row.token_id,
  model_name: row.model_name,
  group: row.group,
  key_tail: row.key_tail,
  address: row.address,
  retry_after: row.retry_after,
  similar,
  ...v.parse(detailSchema, JSON.parse(row.detail)),
});

/** Channels are the operator's business. */
const forOwner = (refusal: Refusal): Refusal => ({
  ...refusal,
  address: '',
  route: null,
  attempts: refusal.attempts.map((attempt) => ({ ...attempt, channel: 0 })),
});

export const refusalRoutes = (routes: Routes): void => {
  route(routes, explainRefusal, async ({ params, actor }) => {
    const sees = can(actor.user.role, 'admin');
    const found = await findRefusal(routes.deps.db, params.id);
    if (found === undefined || !(await seesRecord(routes.deps.db.read, found.row, actor)))
      throw new AppError('not_found');
    const refusal = explain(found.row, found.similar);
    return { data: sees ? refusal : forOwner(refusal) };
  });
};
