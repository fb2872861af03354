import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { usernameMax } from './users.ts';
import { textInput, textQuery, textQueryOf } from './wire.ts';

/** Characters of the code of an invitation; invite codes of users are shorter. */
export const invitationCodeLength = 20;
/** Characters. */
export const emailMax = 50;
/** Seconds between two mails to one address, for the server as for the buttons (specification §9). */
export const mailPauseSeconds = 30;

/** The response of the human-verification widget; required once per session, and only while that is on. */
const turnstile = textQueryOf(2048);

export const register = endpoint({
  method: 'POST',
  path: '/api/user/register',
  access: 'public',
  effect: true,
  summary:
    'Create an account. With e-mail verification, the address and its code are required. `aff_code` is the invite code of a user, or of an invitation.',
  query: v.object({ turnstile }),
  body: v.object({
    username: textInput(usernameMax),
    password: textInput(1024),
    email: v.nullish(textInput(256), ''),
    verification_code: v.nullish(textInput(64), ''),
    aff_code: v.nullish(textInput(64), ''),
  }),
});
export const sendEmailCode = endpoint({
  method: 'GET',
  path: '/api/verification',
  access: 'public',
  effect: true,
  summary: 'Send a verification code to an unused e-mail address.',
  query: v.object({ email: textQuery, turnstile }),
});
export const requestReset = endpoint({
  method: 'GET',
  path: '/api/reset_password',
  access: 'public',
  effect: true,
  summary: 'Send a password-reset link. The response is the same for known and unknown addresses.',
  query: v.object({ email: textQuery, turnstile }),
});
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/user/reset',
  access: 'public',
  effect: true,
  summary: 'Exchange a reset link for a new password. Ends all sessions of the account.',
  body: v.object({ email: textInput(256), token: textInput(256) }),
  /** The new password. */
  data: v.string(),
});
