import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { idParams, integer, integerInput, pageQuery, textInput, textQuery } from './wire.ts';

/** 1 enabled, 2 disabled, 3 expired, 4 exhausted. A caller can set only 1 or 2. */
export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;

/** `expired_time` of a token that never expires. */
export const neverExpires = -1;

/** Defaults of a new token (specification §5). */
export const tokenDefaults = { remain_quota: 500_000, expired_time: neverExpires, unlimited_quota: false } as const;

/** Characters. */
export const tokenNameMax = 30;

export const tokenSchema = v.object({
  id: integer,
  user_id: integer,
  /** 48 alphanumerics; shown and copied with `sk-` in front. */
  key: v.string(),
  status: integer,
  name: v.string(),
  /** Unix seconds, as all times here. */
  created_time: integer,
  accessed_time: integer,
  /** -1: never. */
  expired_time: integer,
  /** Quota units still to spend, open holds included. */
  remain_quota: integer,
  unlimited_quota: v.boolean(),
  used_quota: integer,
  /** Comma-joined model names the token may use; empty: all. */
  models: v.string(),
  /** Comma-joined CIDR ranges the token may be used from; empty: everywhere. */
  subnet: v.string(),
  /** Until when the key before this one works; 0: it was never rolled. Other servers of the contract leave it out. */
  overlap_until: v.optional(integer),
  /** The client's address of the last charged call; empty: not known. Other servers leave it out. */
  last_address: v.optional(v.string()),
  /** Who in the team made it, by membership; absent: the account is no team, or an administrator made it. */
  member_id: v.optional(integer),
});
export type Token = v.InferOutput<typeof tokenSchema>;

const quotaInput = v.pipe(integerInput, v.minValue(0), v.maxValue(1e15));
const tokenInput = {
  name: textInput(tokenNameMax),
  remain_quota: quotaInput,
  expired_time: v.pipe(integerInput, v.minValue(neverExpires), v.maxValue(1e12)),
  unlimited_quota: v.boolean(),
  models: v.nullish(textInput(65_536)),
  subnet: v.nullish(textInput(8192)),
};

/** Server-side order of the list: newest first, or by the named amount, largest first. */
export const tokenOrders = ['', 'remain_quota', 'used_quota'] as const;

export const listTokens = endpoint({
  method: 'GET',
  path: '/api/token/',
  access: 'user',
  effect: false,
  summary: 'One page of your tokens.',
  query: v.object({ p: pageQuery, order: textQuery }),
  counted: true,
  data: v.array(tokenSchema),
});
export const searchTokens = endpoint({
  method: 'GET',
  path: '/api/token/search',
  access: 'user',
  effect: false,
  summary: 'Your tokens by part of the name.',
  query: v.object({ keyword: textQuery }),
  data: v.array(tokenSchema),
});
export const getToken = endpoint({
  method: 'GET',
  path: '/api/token/:id',
  access: 'user',
  effect: false,
  summary: 'One of your tokens.',
  params: idParams,
  data: tokenSchema,
});
export const createToken = endpoint({
  method: 'POST',
  path: '/api/token/',
  access: 'user',
  effect: true,
  summary: 'Create a token for your account.',
  body: v.object({
    name: tokenInput.name,
    remain_quota: v.optional(quotaInput, 0),
    expired_time: v.optional(tokenInput.expired_time, neverExpires),
    unlimited_quota: v.optional(tokenInput.unlimited_quota, false),
    models: tokenInput.models,
    subnet: tokenInput.subnet,
  }),
  data: tokenSchema,
});
export const updateToken = endpoint({
  method: 'PUT',
  path: '/api/token/',
  access: 'user',
  effect: true,
  summary: 'Change a token. Absent members stay unchanged. With ?status_only=true only `status` is read.',
  query: v.object({ status_only: textQuery }),
  body: v.object({
    id: integerInput,
    name: v.optional(tokenInput.name),
    remain_quota: v.optional(quotaInput),
    /** As loaded: lets the server see what was spent since, so that a stale form credits nothing back. */
    used_quota: v.optional(v.pipe(integerInput, v.minValue(0))),
    expired_time: v.optional(tokenInput.expired_time),
    unlimited_quota: v.optional(tokenInput.unlimited_quota),
    models: tokenInput.models,
    subnet: tokenInput.subnet,
    status: v.optional(integerInput),
  }),
  data: tokenSchema,
});
/** Seconds: a replaced key works no longer than this. */
export const overlapMax = 30 * 86_400;

/** A name for one roll, given by its client: a retry with the same name gets the same key. */
const rollId = v.pipe(textInput(64), v.regex(/^[\w-]{16,64}$/));

export const rollToken = endpoint({
  method: 'POST',
  path: '/api/token/roll',
  access: 'user',
  effect: true,
  summary:
    'Replace the key of one of your tokens. The present one works for `overlap_seconds` more, from the same quota. A retry with the same `roll_id` answers with the same new key.',
  body: v.object({
    id: integerInput,
    roll_id: rollId,
    overlap_seconds: v.optional(v.pipe(integerInput, v.minValue(0), v.maxValue(overlapMax)), 0),
  }),
  data: tokenSchema,
});
export const endTokenOverlap = endpoint({
  method: 'POST',
  path: '/api/token/roll/end',
  access: 'user',
  effect: true,
  summary: 'End the overlap of a rolled token now: the replaced key stops working.',
  body: v.object({ id: integerInput }),
  data: tokenSchema,
});
export const deleteToken = endpoint({
  method: 'DELETE',
  path: '/api/token/:id',
  access: 'user',
  effect: true,
  summary: 'Delete one of the own tokens; its key stops working at once.',
  params: idParams,
});
