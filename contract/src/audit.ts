import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { integer, pageQuery } from './wire.ts';

/** Entries of one answer. */
export const auditPageSize = 100;

/** An entry of the audit log, which is permanent. It names what changed, never a secret value. */
export const auditEntrySchema = v.object({
  id: integer,
  /** Unix seconds. */
  created_at: integer,
  /** 0: no signed-in user, or the system itself. */
  actor_id: integer,
  actor_name: v.string(),
  action: v.string(),
  subject: v.string(),
  detail: v.string(),
  address: v.string(),
  request_id: v.string(),
});

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/audit/',
  access: 'admin',
  effect: false,
  summary: 'The newest audit log entries, or those before the entry with ID `before`.',
  query: v.object({ before: pageQuery }),
  data: v.array(auditEntrySchema),
});
