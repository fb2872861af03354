import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { integer } from './wire.ts';

/** Public facts of this gateway; consoles store them locally (specification §3). */
export const statusSchema = v.object({
  /** Always `v0.0.0`: other consoles nag when it differs from their own build. Ours is `build`. */
  version: v.string(),
  build: v.string(),
  /** The server knows an address of releases, which the update check reads. */
  update_check: v.boolean(),
  /** Unix seconds. */
  start_time: integer,
  system_name: v.string(),
  logo: v.string(),
  footer_html: v.string(),
  theme: v.string(),
  server_address: v.string(),
  /** Quota units for one dollar. */
  quota_per_unit: v.number(),
  display_in_currency: v.boolean(),
  /** Balance in quota units under which its owner is reminded. */
  quota_remind_threshold: integer,
  chat_link: v.string(),
  top_up_link: v.string(),
  register_enabled: v.boolean(),
  password_register_enabled: v.boolean(),
  password_login_enabled: v.boolean(),
  email_verification: v.boolean(),
  turnstile_check: v.boolean(),
  turnstile_site_key: v.string(),
  /** URL of the widget's script. */
  turnstile_url: v.string(),
  github_oauth: v.boolean(),
  github_client_id: v.string(),
  github_url: v.string(),
  wechat_login: v.boolean(),
  wechat_qrcode: v.string(),
  lark_client_id: v.string(),
  lark_url: v.string(),
  oidc: v.boolean(),
  oidc_client_id: v.string(),
  oidc_well_known: v.string(),
  oidc_authorization_endpoint: v.string(),
  oidc_token_endpoint: v.string(),
  oidc_userinfo_endpoint: v.string(),
});
export type Status = v.InferOutput<typeof statusSchema>;

export const getStatus = endpoint({
  method: 'GET',
  path: '/api/status',
  access: 'public',
  effect: false,
  summary: 'Public settings of this gateway.',
  data: statusSchema,
});
export const getNotice = endpoint({
  method: 'GET',
  path: '/api/notice',
  access: 'public',
  effect: false,
  summary: 'The notice shown to every visitor; empty when there is none.',
  data: v.string(),
});
export const getAbout = endpoint({
  method: 'GET',
  path: '/api/about',
  access: 'public',
  effect: false,
  summary: 'The about page: markdown, or an https address to frame.',
  data: v.string(),
});
export const getHomePageContent = endpoint({
  method: 'GET',
  path: '/api/home_page_content',
  access: 'public',
  effect: false,
  summary: 'The home page: markdown, or an https address to frame.',
  data: v.string(),
});

export const networkLimitsSchema = v.object({
  /** A private address that calls come from and that is no declared proxy; empty: none since the start. */
  unlimited_peer: v.string(),
});

export const readNetworkLimits = endpoint({
  method: 'GET',
  path: '/api/network_limits',
  access: 'admin',
  effect: false,
  summary: 'Whether calls come from a private address without limits per network, such as an undeclared proxy.',
  data: networkLimitsSchema,
});
