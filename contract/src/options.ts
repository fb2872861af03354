import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { anyTextInput } from './wire.ts';

/** The format of an option's text. Every value is text on the wire and in the database. */
export type OptionKind = 'boolean' | 'integer' | 'number' | 'text' | 'url' | 'list' | 'ratios';

/** A section of the settings form. */
export type OptionSection =
  | 'general'
  | 'logs'
  | 'queue'
  | 'runs'
  | 'monitor'
  | 'quota'
  | 'ratios'
  | 'address'
  | 'access'
  | 'domains'
  | 'smtp'
  | 'code-host'
  | 'chat-app'
  | 'oidc'
  | 'lark'
  | 'pusher'
  | 'turnstile'
  | 'notice'
  | 'look'
  | 'home'
  | 'about'
  | 'footer';

/**
 * One option: its default, its checks, its masking and its control in the settings form derive from this entry. Label
 * and hint are texts of the console's catalogue, by the option's name.
 */
export interface OptionEntry {
  readonly kind: OptionKind;
  readonly default: string;
  /** Controls are shown in the order of the entries. */
  readonly section: OptionSection;
  /** Written but never read back, and stored sealed. */
  readonly secret?: true;
  /** Least value of a numeric option, or of each ratio. */
  readonly min?: number;
  /** Largest value of a numeric option. */
  readonly max?: number;
  /** Unit of a numeric option; absent: a plain number. */
  readonly unit?: 'quota' | 'seconds' | 'tokens';
  /**
   * The content of a text, where it is more than one line of any characters; a page is markdown or an https address.
   */
  readonly format?: 'theme' | 'html' | 'markdown' | 'page';
  /** Of this gateway alone: other servers of the contract do not know it. */
  readonly own?: true;
  /** The only texts that are valid. */
  readonly choices?: readonly string[];
  /** An address that is kept to the letter: slashes at its end belong to it. */
  readonly exact?: true;
}

const flag = (section: OptionSection, value: boolean) =>
  ({ kind: 'boolean', default: String(value), section }) as const;
const text = (section: OptionSection) => ({ kind: 'text', default: '', section }) as const;
const secret = (section: OptionSection) => ({ ...text(section), secret: true }) as const;
const url = (section: OptionSection) => ({ kind: 'url', default: '', section }) as const;
const exactUrl = (section: OptionSection) => ({ ...url(section), exact: true }) as const;
const integer = (section: OptionSection, value: number) =>
  ({ kind: 'integer', default: String(value), section, min: 0 }) as const;
const ratios = { kind: 'ratios', default: '', section: 'ratios' } as const;

/** Every option of the specification §3, those of OIDC and Lark (wire contract 1.16), and those of this gateway alone, marked `own`. The defaults of the three ratio tables without one come from the price data at start. */
export const options = {
  TopUpLink: url('general'),
  ChatLink: url('general'),
  QuotaPerUnit: { kind: 'number', default: '500000', section: 'general', min: 0.01 },
  RetryTimes: integer('general', 2),
  DisplayInCurrencyEnabled: flag('general', true),
  DisplayTokenStatEnabled: flag('general', true),
  ApproximateTokenEnabled: flag('general', false),
  LogConsumeEnabled: flag('logs', true),
  LogRetentionDays: { ...integer('logs', 0), max: 3660, own: true },
  LogRefusalEnabled: { ...flag('logs', true), own: true },
  LogRefusalDays: { ...integer('logs', 30), min: 1, max: 366, own: true },
  LogRefusalRowsMax: { ...integer('logs', 100_000), max: 1_000_000, own: true },
  QueueSeconds: { ...integer('queue', 30), max: 600, unit: 'seconds', own: true },
  QueueLengthMax: { ...integer('queue', 1000), min: 1, max: 10_000, own: true },
  QueueGroupWeights: { ...ratios, section: 'queue', default: '{}', min: 0.01, own: true },
  RunBudget: { ...integer('runs', 0), unit: 'quota', own: true },
  RunCallsMax: { ...integer('runs', 0), max: 1e9, own: true },
  RunSeconds: { ...integer('runs', 0), max: 366 * 86_400, unit: 'seconds', own: true },
  ChannelDisableThreshold: { kind: 'number', default: '5', section: 'monitor', min: 0, unit: 'seconds' },
  QuotaRemindThreshold: { ...integer('monitor', 1000), unit: 'quota' },
  KeyExpiryRemindDays: { ...integer('monitor', 0), max: 365, own: true },
  AutomaticDisableChannelEnabled: flag('monitor', false),
  AutomaticEnableChannelEnabled: flag('monitor', false),
  QuotaForNewUser: { ...integer('quota', 0), unit: 'quota' },
  AccountsPerHour: { ...integer('quota', 0), own: true },
  PreConsumedQuota: { ...integer('quota', 500), unit: 'tokens' },
  QuotaForInviter: { ...integer('quota', 0), unit: 'quota' },
  QuotaForInvitee: { ...integer('quota', 0), unit: 'quota' },
  ModelRatio: ratios,
  CompletionRatio: ratios,
  GroupRatio: ratios,
  PartRatio: { ...ratios, default: '{}', own: true },
  PriceBookUrl: { ...exactUrl('ratios'), own: true },
  UnpricedModels: { ...text('ratios'), default: 'fallback', choices: ['refuse', 'fallback', 'free'], own: true },
  ServerAddress: url('address'),
  PasswordLoginEnabled: flag('access', true),
  PasswordRegisterEnabled: flag('access', true),
  RegisterEnabled: flag('access', true),
  EmailVerificationEnabled: flag('access', false),
  GitHubOAuthEnabled: flag('access', false),
  WeChatAuthEnabled: flag('access', false),
  OidcEnabled: flag('access', false),
  TurnstileCheckEnabled: flag('access', false),
  EmailDomainRestrictionEnabled: flag('domains', false),
  EmailDomainWhitelist: {
    kind: 'list',
    section: 'domains',
    default: 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
  },
  EmailAliasRestrictionEnabled: { ...flag('domains', false), own: true },
  SMTPServer: text('smtp'),
  SMTPPort: { ...integer('smtp', 587), max: 65_535 },
  SMTPAccount: text('smtp'),
  SMTPFrom: text('smtp'),
  SMTPToken: secret('smtp'),
  GitHubClientId: text('code-host'),
  GitHubClientSecret: secret('code-host'),
  WeChatServerAddress: url('chat-app'),
  WeChatServerToken: secret('chat-app'),
  WeChatAccountQRCodeImageURL: url('chat-app'),
  OidcClientId: text('oidc'),
  OidcClientSecret: secret('oidc'),
  OidcWellKnown: exactUrl('oidc'),
  OidcAuthorizationEndpoint: exactUrl('oidc'),
  OidcTokenEndpoint: exactUrl('oidc'),
  OidcUserinfoEndpoint: exactUrl('oidc'),
  LarkClientId: text('lark'),
  LarkClientSecret: secret('lark'),
  MessagePusherAddress: url('pusher'),
  MessagePusherToken: secret('pusher'),
  TurnstileSiteKey: text('turnstile'),
  TurnstileSecretKey: secret('turnstile'),
  Notice: { ...text('notice'), format: 'markdown' },
  SystemName: { ...text('look'), default: 'Weir' },
  Theme: { ...text('look'), default: 'default', format: 'theme' },
  Logo: text('look'),
  HomePageContent: { ...text('home'), format: 'page' },
  About: { ...text('about'), format: 'page' },
  Footer: { ...text('footer'), format: 'html' },
} as const satisfies Record<string, OptionEntry>;

export type OptionKey = keyof typeof options;

/** Whether a text names an option of this gateway. */
export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(options, key);

export const listOptions = endpoint({
  method: 'GET',
  path: '/api/option/',
  access: 'admin',
  effect: false,
  summary: 'All options except secrets.',
  data: v.array(v.object({ key: v.string(), value: v.string() })),
  extra: v.object({
    /** Which secret options are set: a form can show that without the secret itself. */
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
