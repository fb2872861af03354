import { createOauthState } from '@weir/contract/identities';
import type { OauthProvider } from '@weir/contract/identities';
import { callWhole } from '../api/call.ts';
import { authorizeAddress } from './external-providers.ts';
import { currentStatus } from '../api/status.ts';

/** Opens the authorize page of a provider, which redirects back to `/oauth/…`. */
export const leaveFor = async (provider: OauthProvider): Promise<void> => {
  const { data, code_challenge: challenge } = await callWhole(createOauthState, { query: { provider } });
  location.assign(authorizeAddress(provider, currentStatus(), { origin: location.origin, state: data, challenge }));
};
