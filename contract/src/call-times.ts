/** How long a call of an upstream may take, in seconds, unless the channel sets another limit. */
export const callSeconds = { first_byte_seconds: 120, idle_seconds: 60, total_seconds: 1800 } as const;

/** The largest limit of a channel. */
export const callSecondsMax = 6 * 60 * 60;

/** Whether a channel may set this limit. */
export const isCallSeconds = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= callSecondsMax;
