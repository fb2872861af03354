import { endOf, startOf } from '../../../lib/usage-range.ts';

/** Ranges that count back from now; `24h` is the default, for an address without a range. */
export const presetIds = ['1h', '24h', 'today', 'yesterday', '7d', '30d', 'last-month', 'all'] as const;
export type PresetId = (typeof presetIds)[number];
export type RangeId = PresetId | 'custom';
export const usualRange: PresetId = '24h';

/** The search parameters of the time range. */
export interface RangeSearch {
  readonly range?: PresetId;
  readonly start_timestamp?: number;
  readonly end_timestamp?: number;
}

/** Unix seconds, both inclusive; 0: open. */
export interface Bounds {
  readonly start: number;
  readonly end: number;
}

/** Custom times override a preset. */
export const rangeOf = ({ range, start_timestamp: start, end_timestamp: end }: RangeSearch): RangeId =>
  start === undefined && end === undefined ? (range ?? usualRange) : 'custom';

const secondsBack = { '1h': 3600, '24h': 86_400, '7d': 7 * 86_400, '30d': 30 * 86_400 } as const;

const midnightOf = (unixSeconds: number): number =>
  Math.floor(new Date(unixSeconds * 1000).setHours(0, 0, 0, 0) / 1000);

/** Presets but yesterday and last month are open at the end, so that new records are included; all time has no bounds. */
export const boundsOf = (search: RangeSearch, nowSeconds: number): Bounds => {
  const range = rangeOf(search);
  switch (range) {
    case 'custom':
      return { start: search.start_timestamp ?? 0, end: search.end_timestamp ?? 0 };
    case 'all':
      return { start: 0, end: 0 };
    case 'today':
      return { start: midnightOf(nowSeconds), end: 0 };
    case 'yesterday': {
      const today = midnightOf(nowSeconds);
      // Noon, as a day may have an hour more or less.
      return { start: midnightOf(today - 43_200), end: today - 1 };
    }
    // The month of the dashboard and of revenue and cost, so that their sums agree.
    case 'last-month':
      return { start: startOf(range, nowSeconds), end: endOf(range, nowSeconds) ?? 0 };
    case '1h':
    case '24h':
    case '7d':
    case '30d':
      return { start: nowSeconds - secondsBack[range], end: 0 };
  }
};

/** The change of the address that picks a preset. */
export const pickPreset = (preset: PresetId) => ({
  range: preset === usualRange ? undefined : preset,
  start_timestamp: undefined,
  end_timestamp: undefined,
});

const wider: Record<RangeId, PresetId | undefined> = {
  '1h': '24h',
  '24h': '7d',
  today: '7d',
  yesterday: '7d',
  '7d': '30d',
  '30d': 'all',
  'last-month': 'all',
  custom: 'all',
  all: undefined,
};

/** The next wider preset, offered if a range is empty. */
export const widerThan = (range: RangeId): PresetId | undefined => wider[range];
