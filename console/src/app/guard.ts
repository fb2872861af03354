import type { Access } from '@weir/contract/endpoint';
import { can } from '@weir/contract/roles';
import { goToLogin } from '../lib/api/paths.ts';
import { currentUser } from '../lib/api/session.ts';
import { NotAllowed } from './not-allowed.ts';

/** Sends visitors without a session to sign in; those of a lesser role see why they cannot enter. */
export const guard = (access: Access) => (): void | Promise<never> => {
  const user = currentUser();
  if (user === undefined) {
    goToLogin('');
    // The page is leaving; the screen behind the guard must not begin.
    return new Promise<never>(() => undefined);
  }
  if (!can(user.role, access)) throw new NotAllowed();
  return undefined;
};
