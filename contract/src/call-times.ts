/** How long a call of an upstream may take, in seconds, where the channel does not say otherwise. */
export const callSeconds = { first_byte_seconds: 120, idle_seconds: 60, total_seconds: 1800 } as const;

/** The most that a channel may say. */
export const callSecondsMax = 6 * 60 * 60;

/** Whether a channel may say so many seconds. */
export const isCallSeconds = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= callSecondsMax;
