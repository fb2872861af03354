import type { Access } from './endpoint.ts';

/** Role numbers on the wire. They are thresholds: an unknown number between two acts as the lower. */
export const role = { user: 1, admin: 10, root: 100 } as const;

const threshold: Record<Access, number> = { public: 0, user: role.user, admin: role.admin, root: role.root };

/** Whether this role may do what needs `access`; `undefined`: no signed-in user. */
export const can = (roleNumber: number | undefined, access: Access): boolean =>
  access === 'public' || (roleNumber !== undefined && roleNumber >= threshold[access]);

/** Whether `actor` may act on an account of role `target`: only root acts on an equal or higher role. */
export const outranks = (actor: number, target: number): boolean => actor >= role.root || actor > target;
