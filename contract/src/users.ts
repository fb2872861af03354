import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { idParams, integer, integerInput, pageQuery, textInput, textQuery } from './wire.ts';

/** 1 activated, 2 banned, 3 deleted (hidden everywhere). */
export const userStatus = { enabled: 1, disabled: 2, deleted: 3 } as const;

/** Characters; the hint in forms says 8 to 20, longer passwords are accepted up to this. */
export const passwordLength = { min: 8, max: 128 } as const;
/** Characters. */
export const usernameMax = 12;

/** Characters. */
export const displayNameMax = 20;
/** Characters. */
export const userGroupMax = 32;

/** Quota units that one edit or top-up can be about. */
export const quotaInputMax = 1e15;

/** Server-side order of the list: newest first, or by the named amount, largest first. */
export const userOrders = ['', 'quota', 'used_quota', 'request_count'] as const;

/** Actions of `POST /api/user/manage`; any other word does nothing. */
export const userActions = ['enable', 'disable', 'delete', 'promote', 'demote'] as const;

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
  /** True: the account of a team, which has no sign-in. Other servers leave it out. */
  team: v.optional(v.boolean()),
});
export type User = v.InferOutput<typeof userSchema>;

/** One account read by its id. */
export const managedUserSchema = v.object({
  ...userSchema.entries,
  /** Keys that are not deleted, whatever their status; other servers of the contract do not count them. */
  token_count: v.optional(integer),
});
export type ManagedUser = v.InferOutput<typeof managedUserSchema>;

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
  summary: 'Sign in with a username or e-mail address and a password.',
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
  summary: 'Your account.',
  data: signedInUserSchema,
});
export const updateSelf = endpoint({
  method: 'PUT',
  path: '/api/user/self',
  access: 'user',
  effect: true,
  summary: 'Change your username, password or display name. Empty members stay unchanged.',
  body: v.object({
    username: v.optional(textInput(usernameMax)),
    password: v.optional(textInput(1024)),
    display_name: v.optional(textInput(displayNameMax)),
  }),
});
export const createAccessToken = endpoint({
  method: 'GET',
  path: '/api/user/token',
  access: 'user',
  effect: true,
  summary: 'Generate a new system access token. The previous one stops working.',
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
  summary: 'Usage of your account in the last seven UTC days, by day and model.',
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
  summary: 'Your invite code, created on first use.',
  data: v.string(),
});

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/user/',
  access: 'admin',
  effect: false,
  summary: 'One page of the accounts, without deleted ones.',
  query: v.object({ p: pageQuery, order: textQuery }),
  counted: true,
  data: v.array(userSchema),
});
export const searchUsers = endpoint({
  method: 'GET',
  path: '/api/user/search',
  access: 'admin',
  effect: false,
  summary: 'Accounts by ID, or by start of the username, e-mail address or display name; at most 1,000.',
  query: v.object({ keyword: textQuery }),
  data: v.array(userSchema),
});
export const getUser = endpoint({
  method: 'GET',
  path: '/api/user/:id',
  access: 'admin',
  effect: false,
  summary: 'One account with a lower role than yours. Root reads all accounts.',
  params: idParams,
  data: managedUserSchema,
});
export const createUser = endpoint({
  method: 'POST',
  path: '/api/user/',
  access: 'admin',
  effect: true,
  summary: 'Create an ordinary account with the defaults of a new account.',
  body: v.object({
    username: textInput(usernameMax),
    password: textInput(1024),
    display_name: v.optional(textInput(displayNameMax), ''),
    /** Refused where it is not lower than the own one, and otherwise ignored: new accounts are ordinary ones. */
    role: v.optional(integerInput, 0),
  }),
});
export const updateUser = endpoint({
  method: 'PUT',
  path: '/api/user/',
  access: 'admin',
  effect: true,
  summary:
    'Change an account with a lower role than yours. Absent members and an empty password stay unchanged. Only root changes role and status here.',
  body: v.object({
    id: integerInput,
    username: v.optional(textInput(usernameMax)),
    password: v.optional(textInput(1024), ''),
    display_name: v.optional(textInput(displayNameMax)),
    /** Empty: `default`. */
    group: v.optional(textInput(userGroupMax)),
    /** Quota that the account may spend, running requests included. */
    quota: v.optional(v.pipe(integerInput, v.minValue(0), v.maxValue(quotaInputMax))),
    /** As loaded: what was spent since then counts against the new quota, so that a stale form credits nothing back. */
    used_quota: v.optional(v.pipe(integerInput, v.minValue(0), v.maxValue(quotaInputMax))),
    /**
     * `quota` as loaded, beside `used_quota`: where the two are the same, nothing is credited or taken, and where quota
     * was credited or taken meanwhile, the change is refused, so that it undoes nothing.
     */
    quota_seen: v.optional(v.pipe(integerInput, v.minValue(0))),
    role: v.optional(integerInput),
    status: v.optional(integerInput),
  }),
});
export const manageUser = endpoint({
  method: 'POST',
  path: '/api/user/manage',
  access: 'admin',
  effect: true,
  summary:
    'Enable, disable, delete, promote or demote an account with a lower role than yours. Returns its role and status.',
  body: v.object({ username: textInput(256), action: textInput(64) }),
  data: userSchema,
});
export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/user/:id',
  access: 'admin',
  effect: true,
  summary: 'Delete an account of a lower role than the own, for good.',
  params: idParams,
});
export const topUpUser = endpoint({
  method: 'POST',
  path: '/api/topup',
  access: 'admin',
  effect: true,
  summary:
    'Add quota to an account with a lower role than yours, for payment systems. With the header `Idempotency-Key`, a repeated call adds nothing.',
  body: v.object({
    user_id: integerInput,
    quota: v.pipe(integerInput, v.maxValue(quotaInputMax)),
    /** The text of the log row; absent or empty: one that names the amount. */
    remark: v.optional(textInput(1000), ''),
  }),
});
