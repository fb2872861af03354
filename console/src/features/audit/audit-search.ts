import { listParams } from '../../lib/lists/list-search.ts';
import { searchOf, upTo } from '../../lib/lists/search-params.ts';

const nameMax = 256;

/** The search parameters of the audit log. */
export const auditSearch = searchOf({ ...listParams, actor: upTo(nameMax), action: upTo(nameMax) });
export type AuditSearch = ReturnType<typeof auditSearch>;
