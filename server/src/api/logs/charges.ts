import { explainCharge } from '@weir/contract/prices/charges';
import { can } from '@weir/contract/roles';
import { explainCharge as explain } from '../../billing/price/explain-charge.ts';
import { AppError } from '../../errors.ts';
import { route, type Routes } from '../../http/route.ts';
import { findCharge } from '../../store/ledger/charges.ts';
import { seesRecord } from '../teams/team-access.ts';
import { costOfRow, marginOfRow } from './costs.ts';

export const chargeRoutes = (routes: Routes): void => {
  const { db, options } = routes.deps;
  route(routes, explainCharge, async ({ params, actor }) => {
    const sees = can(actor.user.role, 'admin');
    const charge = await findCharge(db, params.id);
    if (charge === undefined || !(await seesRecord(db.read, charge.row, actor))) throw new AppError('not_found');
    const data = explain(charge.row, charge.entry);
    // Which channel served a request, and what that cost, is the operator's business.
    if (!sees) return { data: { ...data, attempts: data.attempts.map((tried) => ({ ...tried, channel: 0 })) } };
    const { row } = charge;
    const margin = marginOfRow({ quota: data.quota, cost: row.cost }, options.get('QuotaPerUnit'));
    return { data: { ...data, cost: costOfRow(row), margin } };
  });
};
