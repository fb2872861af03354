import type { Channel } from '@weir/contract/channels';
import { shownChannelConfig } from '../../store/channels/channel-config.ts';
import type { ChannelRow } from '../../store/channels/channels.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';

/** A channel on the wire: without its key and the secrets of its config, which never leave the server again. */
export const toChannel = (secrets: Secrets, row: ChannelRow): Channel => ({
  id: row.id,
  type: row.type,
  key: '',
  status: row.status,
  status_reason: row.status_reason,
  name: row.name,
  weight: row.weight,
  created_time: row.created_time,
  test_time: row.test_time,
  response_time: row.response_time,
  test_error: row.test_error,
  base_url: row.base_url,
  other: row.other,
  balance: row.balance,
  balance_currency: row.balance_currency,
  balance_updated_time: row.balance_updated_time,
  models: row.models,
  group: row.group,
  used_quota: row.used,
  model_mapping: row.model_mapping,
  priority: row.priority,
  config: shownChannelConfig(secrets, row.config),
  system_prompt: row.system_prompt,
});
