import { options as entries, type OptionEntry, type OptionKey } from '@weir/contract/options';
import { namesIn } from '@weir/contract/wire';
import { parseRatioTable, ratioToNumber } from '../billing/price/ratio.ts';
import { arePartRatios } from '../billing/price/usage-parts.ts';
import { AppError, type ErrorCode, type Fault } from '../errors.ts';
import type { Options } from '../store/options.ts';
import { readWebAddress } from './web-address.ts';

/** The options as they are, to see what others need. */
type OptionTexts = Pick<Options, 'text'>;

const themes = ['default', 'light', 'dark', 'berry', 'air'];

const invalid = (key: OptionKey, fault: Omit<Fault, 'member'>): AppError =>
  new AppError('option_invalid', { faults: [{ member: key, ...fault }] });

const readNumber = (key: OptionKey, text: string, { kind, min, max }: OptionEntry): string => {
  const value = Number(text.trim());
  if (text.trim() === '' || !Number.isFinite(value)) throw invalid(key, { code: 'not_a_number' });
  if (kind === 'integer' && !Number.isSafeInteger(value)) throw invalid(key, { code: 'not_whole' });
  if (min !== undefined && value < min) throw invalid(key, { code: 'too_small', limit: min });
  if (max !== undefined && value > max) throw invalid(key, { code: 'too_large', limit: max });
  return String(value);
};

const readUrl = (key: OptionKey, text: string, { exact }: OptionEntry): string => {
  const address = readWebAddress(text);
  if (address === undefined) throw invalid(key, { code: 'not_an_address' });
  return exact === true ? text.trim() : address;
};

const ratioFault: Partial<Record<OptionKey, ErrorCode>> = {
  ModelRatio: 'model_ratio_invalid',
  CompletionRatio: 'completion_ratio_invalid',
  GroupRatio: 'group_ratio_invalid',
  PartRatio: 'part_ratio_invalid',
  QueueGroupWeights: 'queue_weights_invalid',
};

const readRatios = (key: OptionKey, text: string, { min = 0 }: OptionEntry): string => {
  const table = parseRatioTable(text);
  if (table === null || (key === 'PartRatio' && !arePartRatios(table)))
    throw new AppError(ratioFault[key] ?? 'invalid_parameter');
  // Without a group no account could call anything.
  if (key === 'GroupRatio' && table.size === 0) throw new AppError('group_ratio_invalid');
  const small = [...table].find(([, value]) => value.times < 0n || ratioToNumber(value) < min);
  if (small !== undefined)
    throw new AppError('option_invalid', { faults: [{ member: `${key} ${small[0]}`, code: 'too_small', limit: min }] });
  return text;
};

const readList = (text: string): string => namesIn(text).join(',');

const oidcNeeds = [
  'OidcClientId',
  'OidcClientSecret',
  'OidcAuthorizationEndpoint',
  'OidcTokenEndpoint',
  'OidcUserinfoEndpoint',
] as const;

/** Options that must be set before a switch may be turned on. */
const prerequisites: Partial<
  Record<OptionKey, { readonly code: ErrorCode; readonly met: (options: OptionTexts) => boolean }>
> = {
  GitHubOAuthEnabled: {
    code: 'github_incomplete',
    met: (options) => options.text('GitHubClientId') !== '' && options.text('GitHubClientSecret') !== '',
  },
  OidcEnabled: {
    code: 'oidc_incomplete',
    met: (options) => oidcNeeds.every((key) => options.text(key) !== ''),
  },
  EmailDomainRestrictionEnabled: {
    code: 'email_whitelist_empty',
    met: (options) => readList(options.text('EmailDomainWhitelist')) !== '',
  },
  WeChatAuthEnabled: { code: 'wechat_incomplete', met: (options) => options.text('WeChatServerAddress') !== '' },
  TurnstileCheckEnabled: {
    code: 'turnstile_incomplete',
    met: (options) => options.text('TurnstileSiteKey') !== '' && options.text('TurnstileSecretKey') !== '',
  },
};

const readSwitch = (key: OptionKey, text: string, options: OptionTexts): string => {
  if (text !== 'true' && text !== 'false') throw invalid(key, { code: 'not_a_switch' });
  const needed = prerequisites[key];
  if (text === 'true' && needed !== undefined && !needed.met(options)) throw new AppError(needed.code);
  return text;
};

/** The text to store for an option, or a failure that explains what is valid. Nothing is stored here. */
export const checkOption = (key: OptionKey, text: string, options: OptionTexts): string => {
  const entry: OptionEntry = entries[key];
  switch (entry.kind) {
    case 'boolean':
      return readSwitch(key, text, options);
    case 'integer':
    case 'number':
      return readNumber(key, text, entry);
    case 'url':
      return readUrl(key, text, entry);
    case 'ratios':
      return readRatios(key, text, entry);
    case 'list':
      return readList(text);
    case 'text':
      if (entry.choices !== undefined && !entry.choices.includes(text)) throw invalid(key, { code: 'not_a_choice' });
      if (key === 'Theme' && !themes.includes(text)) throw new AppError('theme_invalid');
      return text;
  }
};
