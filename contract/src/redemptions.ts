import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { idParams, integer, integerInput, pageQuery, textInput, textQuery } from './wire.ts';

/** 1 unused, 2 disabled, 3 used. A caller can set only 1 or 2, and nothing once it is 3. */
export const redemptionStatus = { unused: 1, disabled: 2, used: 3 } as const;

/** Initial values of the form (specification §5). */
export const redemptionDefaults = { quota: 100_000, count: 1 } as const;

/** Characters. */
export const redemptionNameMax = 20;
/** Codes made by one call. */
export const redemptionCountMax = 100;
/** Quota units of one code. */
export const redemptionQuotaMax = 1e15;

export const redemptionSchema = v.object({
  id: integer,
  /** The user who made it, also after it was redeemed. */
  user_id: integer,
  /** 32 lower-case hexadecimal digits. */
  key: v.string(),
  status: integer,
  name: v.string(),
  /** Quota units that it is worth. */
  quota: integer,
  /** Unix seconds. */
  created_time: integer,
  /** Unix seconds; 0: not yet. */
  redeemed_time: integer,
  /** Always 0 in answers. */
  count: integer,
});
export type Redemption = v.InferOutput<typeof redemptionSchema>;

const quotaInput = v.pipe(integerInput, v.minValue(1), v.maxValue(redemptionQuotaMax));
/** Its length is checked after parsing, for the contract has a text of its own for it. */
const nameInput = textInput(256);

export const listRedemptions = endpoint({
  method: 'GET',
  path: '/api/redemption/',
  access: 'admin',
  effect: false,
  summary: 'One page of the redemption codes, newest first.',
  query: v.object({ p: pageQuery }),
  counted: true,
  data: v.array(redemptionSchema),
});
export const searchRedemptions = endpoint({
  method: 'GET',
  path: '/api/redemption/search',
  access: 'admin',
  effect: false,
  summary: 'Redemption codes by ID or start of the name; at most 1,000.',
  query: v.object({ keyword: textQuery }),
  data: v.array(redemptionSchema),
});
export const getRedemption = endpoint({
  method: 'GET',
  path: '/api/redemption/:id',
  access: 'admin',
  effect: false,
  summary: 'One redemption code.',
  params: idParams,
  data: redemptionSchema,
});
export const createRedemptions = endpoint({
  method: 'POST',
  path: '/api/redemption/',
  access: 'admin',
  effect: true,
  summary: 'Create `count` codes with the same name and quota, all or none. Returns their keys.',
  body: v.object({ name: nameInput, quota: quotaInput, count: v.optional(integerInput, 0) }),
  data: v.array(v.string()),
});
export const updateRedemption = endpoint({
  method: 'PUT',
  path: '/api/redemption/',
  access: 'admin',
  effect: true,
  summary:
    'Change a code. Absent members stay unchanged. With ?status_only=true only `status` is read. A used code keeps its status and quota.',
  query: v.object({ status_only: textQuery }),
  body: v.object({
    id: integerInput,
    name: v.optional(nameInput),
    quota: v.optional(quotaInput),
    status: v.optional(integerInput),
  }),
  data: redemptionSchema,
});
export const deleteRedemption = endpoint({
  method: 'DELETE',
  path: '/api/redemption/:id',
  access: 'admin',
  effect: true,
  summary: 'Delete a code; it can be redeemed no more.',
  params: idParams,
});
export const redeem = endpoint({
  method: 'POST',
  path: '/api/user/topup',
  access: 'user',
  effect: true,
  summary: 'Redeem a code for your account. Returns the quota added.',
  body: v.object({ key: textInput(256) }),
  data: integer,
});
