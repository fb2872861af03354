import { emptyLog, type Log } from '@weir/contract/logs';

/** A raw record: other servers of the contract omit members or send null. */
export type WireLog = { readonly [Member in keyof Log]?: Log[Member] | null };

/** A record for display: no missing members, a unique id, and the raw record. */
export interface LogRow extends Log {
  readonly wire: WireLog;
}

/** cyrb53: 53 bits are enough to tell the records of a list apart. */
const hash53 = (text: string): number => {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (0x1fffff & low) + (high >>> 0);
};

/** Negative, so that it never equals a real id. */
const idFromContent = (wire: WireLog, twin: number): number => -1 - hash53(`${JSON.stringify(wire)} ${twin}`);

const filled = (wire: WireLog): Log => ({
  ...emptyLog,
  ...Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null && value !== undefined)),
});

/**
 * Builds the rows of a page. Some servers give every row of the own log the id 0 (wire contract 2.8); such rows get
 * one from their content, so that the same record keeps its id from one read to the next.
 */
export const toRows = (page: readonly WireLog[] | null): LogRow[] => {
  const twins = new Map<string, number>();
  return (page ?? []).map((wire) => {
    const text = JSON.stringify(wire);
    const twin = twins.get(text) ?? 0;
    twins.set(text, twin + 1);
    return { ...filled(wire), id: wire.id || idFromContent(wire, twin), wire };
  });
};

/** A record's channel by its id and name: names may be equal. Other servers send the id alone. */
export const channelText = ({ channel, channel_name: name }: Pick<LogRow, 'channel' | 'channel_name'>): string => {
  if (channel === 0) return '';
  return name === '' ? String(channel) : `${channel} · ${name}`;
};
