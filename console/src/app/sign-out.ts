import { logout } from '@weir/contract/users';
import { call } from '../lib/api/call.ts';
import { forgetUser } from '../lib/api/session.ts';
import { toastAfterLoad, toastFailure } from '../lib/toasts.ts';
import { m } from '../paraglide/messages.js';

/** Ends the session on the server, then here; a full page load clears the memory. */
export const signOut = async (): Promise<void> => {
  try {
    await call(logout);
  } catch (error) {
    toastFailure(error);
    return;
  }
  forgetUser();
  toastAfterLoad('success', m.signed_out());
  location.assign('/login');
};
