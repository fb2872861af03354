import { auditPageSize, listAudit } from '@weir/contract/audit';
import { route, type Routes } from '../http/route.ts';
import { listAuditEntries } from '../store/audit.ts';

export const auditRoutes = (routes: Routes): void => {
  route(routes, listAudit, async ({ query }) => ({
    data: await listAuditEntries(routes.deps.db.read, { before: query.before, count: auditPageSize }),
  }));
};
