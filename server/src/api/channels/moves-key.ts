import { proxyIn } from '../../store/channels/channel-config.ts';
import type { ChannelRow } from '../../store/channels/channels.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import type { ChannelFields } from './channel-input.ts';

/** Whether a change would send the stored key to another server, or through another proxy, than it was entered for. */
export const movesKey = (secrets: Secrets, row: ChannelRow, change: ChannelFields): boolean =>
  (change.config !== undefined && ![proxyIn(secrets, row.config), ''].includes(proxyIn(secrets, change.config))) ||
  (change.base_url !== undefined && change.base_url !== row.base_url) ||
  (change.type !== undefined && change.type !== row.type);
