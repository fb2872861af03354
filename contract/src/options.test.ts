import { expect, test } from 'vitest';
import { isOptionKey, options, type OptionEntry } from './options.ts';

const entries = Object.entries<OptionEntry>(options);

test('API-05 the options are the fifty of the specification, the nine of OIDC and Lark, and those of this gateway alone', () => {
  expect(entries.map(([key]) => key).toSorted()).toEqual(
    (
      'PasswordLoginEnabled PasswordRegisterEnabled EmailVerificationEnabled RegisterEnabled GitHubOAuthEnabled ' +
      'GitHubClientId GitHubClientSecret Notice SMTPServer SMTPPort SMTPAccount SMTPFrom SMTPToken ServerAddress ' +
      'Footer WeChatAuthEnabled WeChatServerAddress WeChatServerToken WeChatAccountQRCodeImageURL ' +
      'MessagePusherAddress MessagePusherToken TurnstileCheckEnabled TurnstileSiteKey TurnstileSecretKey ' +
      'EmailDomainRestrictionEnabled EmailDomainWhitelist About SystemName Logo HomePageContent Theme ' +
      'QuotaForNewUser QuotaForInviter QuotaForInvitee QuotaRemindThreshold PreConsumedQuota ModelRatio ' +
      'CompletionRatio GroupRatio TopUpLink ChatLink QuotaPerUnit AutomaticDisableChannelEnabled ' +
      'AutomaticEnableChannelEnabled ChannelDisableThreshold LogConsumeEnabled DisplayInCurrencyEnabled ' +
      'DisplayTokenStatEnabled ApproximateTokenEnabled RetryTimes ' +
      'OidcEnabled OidcClientId OidcClientSecret OidcWellKnown OidcAuthorizationEndpoint OidcTokenEndpoint ' +
      'OidcUserinfoEndpoint LarkClientId LarkClientSecret EmailAliasRestrictionEnabled PartRatio AccountsPerHour ' +
      'KeyExpiryRemindDays QueueSeconds QueueLengthMax QueueGroupWeights RunBudget RunCallsMax RunSeconds ' +
      'LogRetentionDays LogRefusalEnabled LogRefusalDays LogRefusalRowsMax UnpricedModels PriceBookUrl'
    )
      .split(' ')
      .toSorted(),
  );
});

test('SET-04 every key that ends as secrets do is one', () => {
  const secret = entries.filter(([, entry]) => entry.secret === true).map(([key]) => key);
  const named = entries.map(([key]) => key).filter((key) => /(?:Token|Secret|SecretKey|Password)$/.test(key));
  expect(secret.toSorted()).toEqual(named.toSorted());
});

/** Whether the text of an option could be set as it is. */
const couldBeSet = ({ kind, default: text, min = -Infinity }: OptionEntry): boolean => {
  if (kind === 'boolean') return text === 'true' || text === 'false';
  if (kind === 'integer') return Number.isSafeInteger(Number(text)) && Number(text) >= min;
  if (kind === 'number') return Number.isFinite(Number(text)) && Number(text) >= min;
  return kind !== 'url' || text === '';
};

test('every default is one that could be set', () => {
  expect(entries.filter(([, entry]) => !couldBeSet(entry)).map(([key]) => key)).toEqual([]);
});

test('names that every object has are no options', () => {
  for (const key of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) expect(isOptionKey(key)).toBe(false);
});
