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
export const deleteToken = endpoint({
  method: 'DELETE',
  path: '/api/token/:id',
  access: 'user',
  effect: true,
  summary: 'Delete one of the own tokens; its key stops working at once.',
  params: idParams,
});
