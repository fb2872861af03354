/** Filters that are typed; the last two are the administrator's (specification §2). */
const ownTextFilters = ['token_name', 'model_name'] as const;
const allTextFilters = [...ownTextFilters, 'channel', 'username'] as const;

export type TextFilter = (typeof allTextFilters)[number];

export const textFilters = (admin: boolean): readonly TextFilter[] => (admin ? allTextFilters : ownTextFilters);

/** Whether a text can be a channel id. */
export const isChannel = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text.trim());

/** A change of the address: undefined removes a filter. */
export interface FilterChange {
  readonly token_name?: string | undefined;
  readonly model_name?: string | undefined;
  readonly username?: string | undefined;
  readonly channel?: number | undefined;
}

/** The change of the address for a typed filter; an empty text is no filter. */
export const readTextFilter = (name: TextFilter, text: string): FilterChange => {
  const trimmed = text.trim();
  return name === 'channel' ? { channel: Number(trimmed) || undefined } : { [name]: trimmed || undefined };
};
