import * as v from 'valibot';
import { callSecondsMax, costFactorMax, isCostFactor } from './config-values.ts';

const seconds = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(callSecondsMax)));
const yesOrNo = v.optional(v.boolean());

/** Whether a text is the address of a forward proxy: http or https, with nothing behind the port. */
export const isProxyAddress = (text: string): boolean =>
  /^https?:\/\/(?:[^/?#@\s]*@)?[^/?#@:\s][^/?#@\s]*\/?$/i.test(text);

/** The members of a channel's `config` that this gateway acts on; vendors and other gateways have more, which stay. */
export const channelConfigSchema = v.looseObject({
  /** From the request sent to the first byte of its answer. */
  first_byte_seconds: seconds,
  /** Seconds without data within an answer. */
  idle_seconds: seconds,
  /** The whole answer. */
  total_seconds: seconds,
  /** Every line of the channel's key is a separate key, and calls are spread over them. Absent: one key. */
  multi_key: yesOrNo,
  /** The forward proxy that the upstream is reached through. Absent: the environment decides. */
  proxy: v.optional(v.pipe(v.string(), v.trim(), v.check(isProxyAddress, 'a proxy is http(s)://host:port'))),
  /** A conversation stays with the channel and key that served it, whose cache knows its prompt. Absent: it does. */
  affinity: yesOrNo,
  /** What the channel costs as a multiple of its vendor's list price. Absent: 1. */
  cost_factor: v.optional(
    v.union([
      v.pipe(v.number(), v.minValue(0), v.maxValue(costFactorMax)),
      v.pipe(
        v.string(),
        v.check((text) => isCostFactor(text)),
      ),
    ]),
  ),
});
/** A channel's `config` as it is used. */
export type ChannelConfig = v.InferOutput<typeof channelConfigSchema>;

/** A parsed config text; `issues` name the invalid members. */
export type ReadConfig =
  | { readonly kind: 'config'; readonly config: ChannelConfig }
  | { readonly kind: 'no_object' }
  | { readonly kind: 'fault'; readonly issues: readonly v.BaseIssue<unknown>[] };

/** Reads the text of a channel's `config`; an empty one sets nothing. Never throws. */
export const readChannelConfig = (text: string): ReadConfig => {
  if (text.trim() === '') return { kind: 'config', config: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'no_object' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'no_object' };
  const read = v.safeParse(channelConfigSchema, value);
  return read.success ? { kind: 'config', config: read.output } : { kind: 'fault', issues: read.issues };
};
