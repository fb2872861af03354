import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { integer, textInput } from './wire.ts';

/** 1 activated, 2 banned, 3 deleted (hidden everywhere). */
export const userStatus = { enabled: 1, disabled: 2, deleted: 3 } as const;

/** Characters; the hint in forms says 8 to 20, longer passwords are accepted up to this. */
export const passwordLength = { min: 8, max: 128 } as const;
/** Characters. */
export const usernameMax = 12;

/** Every member is always present. `quota` is what the account may still spend, holds included, in quota units. */
export const userSchema = v.object({
  id: integer,
  username: v.string(),
  /** Always empty in answers. */
  password: v.string(),
  display_name: v.string(),
  role: integer,
  status: integer,
  email: v.string(),
  github_id: v.string(),
  wechat_id: v.string(),
  lark_id: v.string(),
  oidc_id: v.string(),
  /** Always empty in answers. */
  verification_code: v.string(),
  /** Always empty in answers. */
  access_token: v.string(),
  quota: integer,
  used_quota: integer,
  request_count: integer,
  group: v.string(),
  aff_code: v.string(),
  inviter_id: integer,
});
export type User = v.InferOutput<typeof userSchema>;

/** The login answer fills id, username, display_name, role and status only. */
export const signedInUserSchema = v.object({
  ...userSchema.entries,
  /** True until the generated first password was changed; consoles that do not know it ignore it. */
  must_change_password: v.optional(v.boolean()),
});
export type SignedInUser = v.InferOutput<typeof signedInUserSchema>;

export const login = endpoint({
  method: 'POST',
  path: '/api/user/login',
  access: 'public',
  effect: true,
  summary: 'Sign in with a user name or e-mail address and a password.',
  body: v.object({ username: textInput(256), password: textInput(1024) }),
  data: signedInUserSchema,
});
export const logout = endpoint({
  method: 'GET',
  path: '/api/user/logout',
  access: 'public',
  effect: true,
  summary: 'End the session of this browser.',
});
export const getSelf = endpoint({
  method: 'GET',
  path: '/api/user/self',
  access: 'user',
  effect: false,
  summary: 'The own account.',
  data: signedInUserSchema,
});
export const updateSelf = endpoint({
  method: 'PUT',
  path: '/api/user/self',
  access: 'user',
  effect: true,
  summary: 'Change the own user name, password or display name; empty members stay unchanged.',
  body: v.object({
    username: v.optional(textInput(usernameMax)),
    password: v.optional(textInput(1024)),
    display_name: v.optional(textInput(20)),
  }),
});
export const createAccessToken = endpoint({
  method: 'GET',
  path: '/api/user/token',
  access: 'user',
  effect: true,
  summary: 'Make a new system access token; the previous one stops working.',
  data: v.string(),
});

/** Capitalised on the wire: consoles read these names. */
const dashboardDay = v.object({
  /** `YYYY-MM-DD`, UTC. */
  Day: v.string(),
  ModelName: v.string(),
  RequestCount: integer,
  Quota: integer,
  PromptTokens: integer,
  CompletionTokens: integer,
});
export const getDashboard = endpoint({
  method: 'GET',
  path: '/api/user/dashboard',
  access: 'user',
  effect: false,
  summary: 'What the own account consumed in the last seven days (UTC, today included), by day and model.',
  data: v.array(dashboardDay),
});
export const deleteSelf = endpoint({
  method: 'DELETE',
  path: '/api/user/self',
  access: 'user',
  effect: true,
  summary: 'Delete the own account for good; root cannot.',
});
export const getInviteCode = endpoint({
  method: 'GET',
  path: '/api/user/aff',
  access: 'user',
  effect: true,
  summary: 'The own invite code, made where there is none yet.',
  data: v.string(),
});
