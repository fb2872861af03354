import { createOauthState } from '@weir/contract/identities';
import type { OauthPlace } from '@weir/contract/identities';
import { callWhole } from '../api/call.ts';
import { authorizeAddress } from './external-places.ts';
import { currentStatus } from '../api/status.ts';

/** Opens the authorize page of a provider, which redirects back to `/oauth/…`. */
export const leaveFor = async (provider: OauthPlace): Promise<void> => {
  const { data, code_challenge: challenge } = await callWhole(createOauthState, { query: { provider } });
  location.assign(authorizeAddress(provider, currentStatus(), { origin: location.origin, state: data, challenge }));
};
