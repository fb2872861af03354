import { m } from '../../paraglide/messages.js';
import type { Section } from './setting.ts';

const tab = 'system';

/** The tab of the system: how people reach it and sign in, and the services it uses. */
export const systemSections: readonly Section[] = [
  {
    id: 'address',
    tab,
    title: m.setting_section_address,
    save: m.setting_save_address,
    settings: [
      { key: 'ServerAddress', label: m.option_server_address, hint: m.option_server_address_hint, control: 'url' },
    ],
  },
  {
    id: 'access',
    tab,
    title: m.setting_section_access,
    settings: [
      {
        key: 'PasswordLoginEnabled',
        label: m.option_password_login,
        hint: m.option_password_login_hint,
        control: 'switch',
      },
      {
        key: 'PasswordRegisterEnabled',
        label: m.option_password_register,
        hint: m.option_password_register_hint,
        control: 'switch',
      },
      { key: 'RegisterEnabled', label: m.option_register, hint: m.option_register_hint, control: 'switch' },
      {
        key: 'EmailVerificationEnabled',
        label: m.option_email_verification,
        hint: m.option_email_verification_hint,
        control: 'switch',
      },
      { key: 'GitHubOAuthEnabled', label: m.option_github_oauth, hint: m.option_github_oauth_hint, control: 'switch' },
      { key: 'WeChatAuthEnabled', label: m.option_wechat_auth, hint: m.option_wechat_auth_hint, control: 'switch' },
      { key: 'OidcEnabled', label: m.option_oidc_enabled, hint: m.option_oidc_enabled_hint, control: 'switch' },
      {
        key: 'TurnstileCheckEnabled',
        label: m.option_turnstile_check,
        hint: m.option_turnstile_check_hint,
        control: 'switch',
      },
    ],
  },
  {
    id: 'domains',
    tab,
    title: m.setting_section_domains,
    text: m.setting_section_domains_text,
    save: m.setting_save_domains,
    settings: [
      {
        key: 'EmailDomainRestrictionEnabled',
        label: m.option_domain_restriction,
        hint: m.option_domain_restriction_hint,
        control: 'switch',
      },
      { key: 'EmailDomainWhitelist', label: m.option_domain_whitelist, control: 'domains' },
      {
        key: 'EmailAliasRestrictionEnabled',
        label: m.option_alias_restriction,
        hint: m.option_alias_restriction_hint,
        control: 'switch',
      },
    ],
  },
  {
    id: 'smtp',
    tab,
    title: m.setting_section_smtp,
    text: m.setting_section_smtp_text,
    save: m.setting_save_smtp,
    part: 'smtp-presets',
    settings: [
      { key: 'SMTPServer', label: m.option_smtp_server, hint: m.option_smtp_server_hint, control: 'text' },
      { key: 'SMTPPort', label: m.option_smtp_port, hint: m.option_smtp_port_hint, control: 'number', step: '1' },
      { key: 'SMTPAccount', label: m.option_smtp_account, hint: m.option_smtp_account_hint, control: 'text' },
      { key: 'SMTPFrom', label: m.option_smtp_from, hint: m.option_smtp_from_hint, control: 'text' },
      { key: 'SMTPToken', label: m.option_smtp_token, control: 'secret' },
    ],
  },
  {
    id: 'code-host',
    tab,
    title: m.setting_section_code_host,
    text: m.setting_section_code_host_text,
    save: m.setting_save_code_host,
    part: 'code-host-callback',
    settings: [
      { key: 'GitHubClientId', label: m.option_github_id, control: 'text' },
      { key: 'GitHubClientSecret', label: m.option_github_secret, control: 'secret' },
    ],
  },
  {
    id: 'chat-app',
    tab,
    title: m.setting_section_chat_app,
    text: m.setting_section_chat_app_text,
    save: m.setting_save_chat_app,
    part: 'qr-preview',
    settings: [
      { key: 'WeChatServerAddress', label: m.option_wechat_address, control: 'url' },
      { key: 'WeChatServerToken', label: m.option_wechat_token, control: 'secret' },
      {
        key: 'WeChatAccountQRCodeImageURL',
        label: m.option_wechat_qrcode,
        hint: m.option_wechat_qrcode_hint,
        control: 'url',
      },
    ],
  },
  {
    id: 'oidc',
    tab,
    title: m.setting_section_oidc,
    text: m.setting_section_oidc_text,
    save: m.setting_save_oidc,
    settings: [
      { key: 'OidcClientId', label: m.option_oidc_id, control: 'text' },
      { key: 'OidcClientSecret', label: m.option_oidc_secret, control: 'secret' },
      { key: 'OidcWellKnown', label: m.option_oidc_well_known, control: 'url' },
      { key: 'OidcAuthorizationEndpoint', label: m.option_oidc_authorization, control: 'url' },
      { key: 'OidcTokenEndpoint', label: m.option_oidc_token, control: 'url' },
      { key: 'OidcUserinfoEndpoint', label: m.option_oidc_userinfo, control: 'url' },
    ],
  },
  {
    id: 'lark',
    tab,
    title: m.setting_section_lark,
    text: m.setting_section_lark_text,
    save: m.setting_save_lark,
    settings: [
      { key: 'LarkClientId', label: m.option_lark_id, control: 'text' },
      { key: 'LarkClientSecret', label: m.option_lark_secret, control: 'secret' },
    ],
  },
  {
    id: 'pusher',
    tab,
    title: m.setting_section_pusher,
    text: m.setting_section_pusher_text,
    save: m.setting_save_pusher,
    settings: [
      { key: 'MessagePusherAddress', label: m.option_pusher_address, control: 'url' },
      { key: 'MessagePusherToken', label: m.option_pusher_token, control: 'secret' },
    ],
  },
  {
    id: 'turnstile',
    tab,
    title: m.setting_section_turnstile,
    text: m.setting_section_turnstile_text,
    save: m.setting_save_turnstile,
    part: 'human-trial',
    settings: [
      { key: 'TurnstileSiteKey', label: m.option_turnstile_site, control: 'text' },
      { key: 'TurnstileSecretKey', label: m.option_turnstile_secret, control: 'secret' },
    ],
  },
];
