import type { FastifyRequest } from 'fastify';
import { appendAudits } from '../store/audit.ts';
import type { Database, DatabaseTransaction } from '../store/database.ts';
import { plainAddress } from './ranges.ts';

/** An action of a user. `detail` names what changed, never a secret value. */
export interface AuditedAction {
  readonly request: FastifyRequest;
  /** Undefined: no signed-in user. */
  readonly actor: { readonly id: number; readonly username: string } | undefined;
  readonly action: string;
  readonly subject: string;
  readonly detail?: string;
}

export interface Audit {
  /** Writes the row in the transaction of the change that it reports: as the last thing there, see `appendAudit`. */
  note(trx: DatabaseTransaction, action: AuditedAction): Promise<void>;
  /** Writes several rows, likewise. */
  noteAll(trx: DatabaseTransaction, actions: readonly AuditedAction[]): Promise<void>;
  /** Writes a row about something that changed no other one. */
  noteAlone(action: AuditedAction): Promise<void>;
}

interface AuditDeps {
  readonly db: Database;
  readonly clock: { now(): number };
}

/** Columns that change together with another one, or whose names mean nothing outside of the database. */
const unnamed = new Set(['must_change_password', 'access_token_digest']);
const shownNames: ReadonlyMap<string, string> = new Map([['password_hash', 'password']]);

/** The names of the members that a change sets to another value: consoles send back all members they loaded. */
export const changedNames = (change: object, before: object): readonly string[] => {
  const stored = new Map<string, unknown>(Object.entries(before));
  return Object.entries(change)
    .filter(([name, value]) => stored.get(name) !== value && !unnamed.has(name))
    .map(([name]) => shownNames.get(name) ?? name);
};

export const createAudit = ({ db, clock }: AuditDeps): Audit => {
  const noteAll: Audit['noteAll'] = (trx, actions) =>
    appendAudits(
      trx,
      actions.map(({ request, actor, action, subject, detail = '' }) => ({
        created_at: Math.floor(clock.now() / 1000),
        actor_id: actor?.id ?? 0,
        actor_name: actor?.username ?? '',
        action,
        subject,
        detail,
        address: plainAddress(request.ip),
        request_id: request.id,
      })),
    );
  const note: Audit['note'] = (trx, action) => noteAll(trx, [action]);
  return { note, noteAll, noteAlone: (action) => db.write.transaction().execute((trx) => note(trx, action)) };
};
