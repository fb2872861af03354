import { explainCharge } from '@weir/contract/prices/charges';
import { can } from '@weir/contract/roles';
import { explainCharge as explain } from '../../billing/price/explain-charge.ts';
import { AppError } from '../../errors.ts';
import { route, type Routes } from '../../http/route.ts';
import { findCharge } from '../../store/ledger/charges.ts';

export const chargeRoutes = (routes: Routes): void => {
  route(routes, explainCharge, async ({ params, actor }) => {
    const sees = can(actor.user.role, 'admin');
    const charge = await findCharge(routes.deps.db, params.id);
    if (charge === undefined || !(sees || charge.row.user_id === actor.user.id)) throw new AppError('not_found');
    const data = explain(charge.row, charge.entry);
    // Which channel served a request is the operator's business.
    return { data: sees ? data : { ...data, attempts: data.attempts.map((tried) => ({ ...tried, channel: 0 })) } };
  });
};
