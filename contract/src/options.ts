import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { anyTextInput } from './wire.ts';

/** How an option's text is read. Every value is text on the wire and in the database. */
export type OptionKind = 'boolean' | 'integer' | 'number' | 'text' | 'url' | 'list' | 'ratios';

/** The settings page and section an option belongs to. */
export type OptionGroup = 'access' | 'mail' | 'external' | 'content' | 'quota' | 'monitor' | 'ratio' | 'general';

/** One option: defaults, checks, masking, the settings form and the docs derive from its entry. */
export interface OptionEntry {
  readonly kind: OptionKind;
  readonly default: string;
  readonly group: OptionGroup;
  /** Effect and unit in one sentence. */
  readonly doc: string;
  /** Written but never read back, and stored sealed. */
  readonly secret?: true;
  /** Least value of a numeric option. */
  readonly min?: number;
  /** Of this gateway alone: other servers of the contract do not know it. */
  readonly own?: true;
  /** An address that is kept to the letter: slashes at its end belong to it. */
  readonly exact?: true;
}

const flag = (value: boolean, group: OptionGroup, doc: string) =>
  ({ kind: 'boolean', default: String(value), group, doc }) as const;
const text = (group: OptionGroup, doc: string) => ({ kind: 'text', default: '', group, doc }) as const;
const url = (group: OptionGroup, doc: string) => ({ kind: 'url', default: '', group, doc }) as const;
const exactUrl = (group: OptionGroup, doc: string) => ({ kind: 'url', default: '', group, doc, exact: true }) as const;
const secret = (group: OptionGroup, doc: string) => ({ kind: 'text', default: '', group, doc, secret: true }) as const;
const count = (value: number, group: OptionGroup, doc: string) =>
  ({ kind: 'integer', default: String(value), group, doc, min: 0 }) as const;

/** Every option of the specification §3, those of OIDC and Lark (wire contract 1.16), and those of this gateway alone, marked `own`. The three ratio tables' defaults come from the price data at start. */
export const options = {
  PasswordLoginEnabled: flag(true, 'access', 'Accept sign-in by password.'),
  PasswordRegisterEnabled: flag(true, 'access', 'Accept registration by password.'),
  RegisterEnabled: flag(true, 'access', 'Accept any new account.'),
  EmailVerificationEnabled: flag(false, 'access', 'Ask for an e-mail address and its code at registration.'),
  GitHubOAuthEnabled: flag(false, 'external', 'Offer sign-in and binding through the code host.'),
  GitHubClientId: text('external', 'Client id at the code host.'),
  GitHubClientSecret: secret('external', 'Client secret at the code host.'),
  OidcEnabled: flag(false, 'external', 'Offer sign-in and binding through an OpenID Connect provider.'),
  OidcClientId: text('external', 'Client id at the OpenID Connect provider.'),
  OidcClientSecret: secret('external', 'Client secret at the OpenID Connect provider.'),
  OidcWellKnown: exactUrl('external', "Address of the provider's discovery document, for reference."),
  OidcAuthorizationEndpoint: exactUrl('external', 'Where the provider asks people to sign in.'),
  OidcTokenEndpoint: exactUrl('external', 'Where the provider exchanges a code for a token.'),
  OidcUserinfoEndpoint: exactUrl('external', 'Where the provider tells who signed in.'),
  LarkClientId: text('external', 'App id at Lark; sign-in and binding are offered where it is set.'),
  LarkClientSecret: secret('external', 'App secret at Lark.'),
  WeChatAuthEnabled: flag(false, 'external', 'Offer sign-in and binding through the chat app.'),
  WeChatServerAddress: url('external', 'Address of the chat-app login server.'),
  WeChatServerToken: secret('external', 'Token for the chat-app login server.'),
  WeChatAccountQRCodeImageURL: url('external', 'Image of the account QR code shown at sign-in.'),
  MessagePusherAddress: url('external', 'Address of the message pusher; empty: notices go by mail.'),
  MessagePusherToken: secret('external', 'Token for the message pusher.'),
  TurnstileCheckEnabled: flag(false, 'access', 'Ask for human verification at registration and mail requests.'),
  TurnstileSiteKey: text('external', 'Public key of the human-verification widget.'),
  TurnstileSecretKey: secret('external', 'Secret key of the human-verification widget.'),
  EmailDomainRestrictionEnabled: flag(false, 'access', 'Accept only e-mail addresses of the listed domains.'),
  EmailDomainWhitelist: {
    kind: 'list',
    group: 'access',
    doc: 'Accepted e-mail domains, comma-joined.',
    default: 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
  },
  AccountsPerHour: {
    ...count(0, 'quota', 'Accounts that people may open here within an hour, all of them together; 0: any number.'),
    own: true,
  },
  EmailAliasRestrictionEnabled: { ...flag(false, 'access', 'Accept no e-mail addresses with a + alias.'), own: true },
  SMTPServer: text('mail', 'Host name of the mail server.'),
  SMTPPort: { ...count(587, 'mail', 'Port of the mail server; 465 speaks TLS from the start.') },
  SMTPAccount: text('mail', 'Account at the mail server.'),
  SMTPFrom: text('mail', 'Sender address; empty: the account.'),
  SMTPToken: secret('mail', 'Password at the mail server.'),
  ServerAddress: url('general', 'Address under which people reach this gateway; links in mails are built from it.'),
  Notice: text('content', 'Shown once to every visitor; markdown.'),
  SystemName: { kind: 'text', default: 'Weir', group: 'content', doc: 'Name in titles and mails.' },
  Theme: {
    kind: 'text',
    default: 'default',
    group: 'content',
    doc: 'Colour theme for visitors who chose none: default, light or dark.',
  },
  Logo: text('content', 'Address of the logo image; empty: the built-in one.'),
  Footer: text('content', 'Footer; HTML.'),
  About: text('content', 'About page: markdown, or an https address to frame.'),
  HomePageContent: text('content', 'Home page: markdown, or an https address to frame.'),
  QuotaForNewUser: count(0, 'quota', 'Quota units given to a new account.'),
  QuotaForInviter: count(0, 'quota', 'Quota units given to the inviter of a new account.'),
  QuotaForInvitee: count(0, 'quota', 'Quota units given to an invited new account.'),
  QuotaRemindThreshold: count(1000, 'quota', 'Balance in quota units under which its owner is reminded by mail.'),
  PreConsumedQuota: count(500, 'quota', 'Tokens held for a request that bounds its own length nowhere.'),
  ModelRatio: { kind: 'ratios', default: '', group: 'ratio', doc: 'Price of a prompt token in quota units, by model.' },
  CompletionRatio: {
    kind: 'ratios',
    default: '',
    group: 'ratio',
    doc: 'Price of a completion token relative to a prompt token, by model.',
  },
  GroupRatio: { kind: 'ratios', default: '', group: 'ratio', doc: 'Price factor by group; its keys are the groups.' },
  PartRatio: {
    kind: 'ratios',
    default: '{}',
    group: 'ratio',
    doc: 'Price of cached, audio, image and reasoning tokens relative to the others of their side, by model and part.',
    own: true,
  },
  TopUpLink: url('general', 'Where redemption codes are sold.'),
  ChatLink: url('general', 'Address of a web chat app.'),
  QuotaPerUnit: {
    kind: 'number',
    default: '500000',
    group: 'general',
    doc: 'Quota units for one dollar; above 0.',
    min: 0.01,
  },
  RetryTimes: count(0, 'general', 'Further channels tried after a failed attempt.'),
  ChannelDisableThreshold: {
    kind: 'number',
    default: '5',
    group: 'monitor',
    doc: 'Seconds of a channel test above which it counts as failed; 0: none.',
    min: 0,
  },
  AutomaticDisableChannelEnabled: flag(
    false,
    'monitor',
    'Disable a channel whose upstream refuses its key or account.',
  ),
  AutomaticEnableChannelEnabled: flag(false, 'monitor', 'Enable a disabled channel whose test passes again.'),
  ApproximateTokenEnabled: flag(
    false,
    'general',
    'Estimate tokens from the length of a text instead of counting them.',
  ),
  LogConsumeEnabled: flag(true, 'general', 'Write a log row for each billed request.'),
  DisplayInCurrencyEnabled: flag(true, 'general', 'Show quota as money.'),
  DisplayTokenStatEnabled: flag(true, 'general', 'Show the token, not the account, on the billing dashboards.'),
} as const satisfies Record<string, OptionEntry>;

export type OptionKey = keyof typeof options;

/** Whether a text names an option of this gateway. */
export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(options, key);

export const listOptions = endpoint({
  method: 'GET',
  path: '/api/option/',
  access: 'admin',
  effect: false,
  summary: 'Every option but the secret ones.',
  data: v.array(v.object({ key: v.string(), value: v.string() })),
  extra: v.object({
    /** Which secret options hold something: a form can then say so without knowing it. */
    secrets_set: v.array(v.string()),
    /** The private address this call came through, if it forwards for others and no setting names it; else empty. */
    undeclared_proxy: v.string(),
  }),
});
export const updateOption = endpoint({
  method: 'PUT',
  path: '/api/option/',
  access: 'root',
  effect: true,
  summary: 'Set one option; it takes effect at once.',
  malformed: 400,
  body: v.object({ key: anyTextInput, value: anyTextInput }),
});
