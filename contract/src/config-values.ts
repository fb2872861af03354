/** How long a call of an upstream may take, in seconds, unless the channel sets another limit. */
export const callSeconds = { first_byte_seconds: 120, idle_seconds: 60, total_seconds: 1800 } as const;

/** The largest limit of a channel. */
export const callSecondsMax = 6 * 60 * 60;

/** Whether a channel may set this limit. */
export const isCallSeconds = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= callSecondsMax;

/** The largest multiple of the list price that a channel may cost. */
export const costFactorMax = 10;

/** Whether a value is a multiple of the list price: a decimal that is exact as it is written. */
export const isCostFactor = (value: unknown): boolean =>
  (typeof value === 'number' || typeof value === 'string') &&
  /^\d{1,2}(?:\.\d{1,9})?$/.test(String(value)) &&
  Number(value) <= costFactorMax;
