import type { OauthProvider } from '@weir/contract/identities';
import type { KnownStatus } from '../api/status.ts';

/** The external sign-in providers of this gateway, besides the chat app. */
export const offeredProviders = (status: KnownStatus): readonly OauthProvider[] => {
  const offered: Record<OauthProvider, boolean> = {
    github: status.github_oauth === true,
    oidc: status.oidc === true,
    lark: Boolean(status.lark_client_id),
  };
  return (['github', 'oidc', 'lark'] as const).filter((provider) => offered[provider]);
};

interface Departure {
  /** The console's origin, used if the gateway does not report its address. */
  readonly origin: string;
  readonly state: string;
  /** Absent on other servers of the contract. */
  readonly challenge: string | undefined;
}

const addressOf = (provider: OauthProvider, status: KnownStatus, { origin, state }: Departure): URL => {
  // The server uses the same address when it exchanges the code.
  const back = `${status.server_address || origin}/oauth/${provider}`;
  if (provider === 'github') {
    const query = new URLSearchParams({ client_id: status.github_client_id ?? '', state, scope: 'user:email' });
    return new URL(`${status.github_url || 'https://github.com'}/login/oauth/authorize?${query.toString()}`);
  }
  if (provider === 'lark') {
    const query = new URLSearchParams({ redirect_uri: back, app_id: status.lark_client_id ?? '', state });
    return new URL(`${status.lark_url || 'https://open.feishu.cn'}/open-apis/authen/v1/index?${query.toString()}`);
  }
  const address = new URL(status.oidc_authorization_endpoint ?? '');
  const query = {
    client_id: status.oidc_client_id ?? '',
    redirect_uri: back,
    response_type: 'code',
    scope: 'openid profile email',
    state,
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address;
};

/** The authorize page of a provider, with the state of this browser's request. */
export const authorizeAddress = (provider: OauthProvider, status: KnownStatus, departure: Departure): string => {
  const { challenge } = departure;
  const address = addressOf(provider, status, departure);
  if (challenge !== undefined) {
    address.searchParams.set('code_challenge', challenge);
    address.searchParams.set('code_challenge_method', 'S256');
  }
  return address.href;
};
