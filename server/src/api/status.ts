import { getAbout, getHomePageContent, getNotice, getStatus, type Status } from '@weir/contract/status';
import { route, type Routes } from '../http/route.ts';
import type { Options } from '../store/options.ts';

/** Facts of this process in `status`. */
export interface BuildFacts {
  readonly build: string;
  /** Unix seconds. */
  readonly startTime: number;
  readonly updateCheck: boolean;
  readonly githubUrl: string;
  readonly larkUrl: string;
  readonly turnstileUrl: string;
}

/** `origin`: the address of this request, the default until an operator sets one. */
const statusOf = (
  options: Options,
  { build, startTime, updateCheck, githubUrl, larkUrl, turnstileUrl }: BuildFacts,
  origin: string,
): Status => ({
  version: 'v0.0.0',
  build,
  update_check: updateCheck,
  start_time: startTime,
  system_name: options.get('SystemName'),
  logo: options.get('Logo'),
  footer_html: options.get('Footer'),
  theme: options.get('Theme'),
  server_address: options.get('ServerAddress') || origin,
  quota_per_unit: options.get('QuotaPerUnit'),
  display_in_currency: options.get('DisplayInCurrencyEnabled'),
  quota_remind_threshold: options.get('QuotaRemindThreshold'),
  chat_link: options.get('ChatLink'),
  top_up_link: options.get('TopUpLink'),
  register_enabled: options.get('RegisterEnabled'),
  password_register_enabled: options.get('PasswordRegisterEnabled'),
  password_login_enabled: options.get('PasswordLoginEnabled'),
  email_verification: options.get('EmailVerificationEnabled'),
  turnstile_check: options.get('TurnstileCheckEnabled'),
  turnstile_site_key: options.get('TurnstileSiteKey'),
  turnstile_url: turnstileUrl,
  github_oauth: options.get('GitHubOAuthEnabled'),
  github_client_id: options.get('GitHubClientId'),
  github_url: githubUrl,
  wechat_login: options.get('WeChatAuthEnabled'),
  wechat_qrcode: options.get('WeChatAccountQRCodeImageURL'),
  lark_client_id: options.get('LarkClientId'),
  lark_url: larkUrl,
  oidc: options.get('OidcEnabled'),
  oidc_client_id: options.get('OidcClientId'),
  oidc_well_known: options.get('OidcWellKnown'),
  oidc_authorization_endpoint: options.get('OidcAuthorizationEndpoint'),
  oidc_token_endpoint: options.get('OidcTokenEndpoint'),
  oidc_userinfo_endpoint: options.get('OidcUserinfoEndpoint'),
});

export const statusRoutes = (routes: Routes, facts: BuildFacts): void => {
  const { options } = routes.deps;
  route(routes, getStatus, async ({ request }) => ({
    data: statusOf(options, facts, `${request.protocol}://${request.host}`),
  }));
  route(routes, getNotice, async () => ({ data: options.get('Notice') }));
  route(routes, getAbout, async () => ({ data: options.get('About') }));
  route(routes, getHomePageContent, async () => ({ data: options.get('HomePageContent') }));
};
