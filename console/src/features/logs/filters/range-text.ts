import { formatTime } from '../../../lib/format/format.ts';
import type { Message, Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { rangeOf } from './log-range.ts';
import type { PresetId, RangeId, RangeSearch } from './log-range.ts';

export const presetLabels: Record<PresetId, Message> = {
  '1h': m.log_range_1h,
  '24h': m.log_range_24h,
  today: m.log_range_today,
  yesterday: m.dash_range_yesterday,
  '7d': m.log_range_7d,
  '30d': m.log_range_30d,
  'last-month': m.dash_range_last_month,
  all: m.log_range_all,
};

/** "in the last 24 hours" */
export const whenLabels: Record<RangeId, Message> = {
  '1h': m.log_when_1h,
  '24h': m.log_when_24h,
  today: m.log_when_today,
  yesterday: m.log_when_yesterday,
  '7d': m.log_when_7d,
  '30d': m.log_when_30d,
  'last-month': m.log_when_last_month,
  all: m.log_when_all,
  custom: m.log_when_custom,
};

const dayLength = 'YYYY-MM-DD'.length;

/** The current range: the name of the preset, or its times. */
export const rangeText = (search: RangeSearch, t: Translate): string => {
  const range = rangeOf(search);
  if (range !== 'custom') return t(presetLabels[range]);
  const start = search.start_timestamp === undefined ? undefined : formatTime(search.start_timestamp);
  const end = search.end_timestamp === undefined ? undefined : formatTime(search.end_timestamp);
  if (start === undefined) return t(m.log_range_to, { end: end ?? '' });
  if (end === undefined) return t(m.log_range_from, { start });
  const sameDay = start.slice(0, dayLength) === end.slice(0, dayLength);
  return t(m.log_range_span, { start, end: sameDay ? end.slice(dayLength + 1) : end });
};
