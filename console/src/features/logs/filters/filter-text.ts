import type { Message, Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { activeFilters } from './log-filters.ts';
import type { FilterName, LogFilters } from './log-filters.ts';
import { typeText } from './log-type.ts';

export const filterLabels: Record<FilterName, Message> = {
  token_name: m.log_filter_token_name,
  model_name: m.log_filter_model_name,
  username: m.log_filter_username,
  channel: m.log_filter_channel,
  type: m.log_type,
};

/** The filters besides the range, each as "Key name: Production". */
export const filterText = (filters: LogFilters, t: Translate): readonly string[] =>
  activeFilters(filters).map(([name, value]) =>
    t(m.log_filter_is, { name: t(filterLabels[name]), value: name === 'type' ? t(typeText(Number(value))) : value }),
  );
