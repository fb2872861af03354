import type { SourceTable } from './sources/source.ts';

/**
 * What becomes of something that cannot come over as it is. `blocks`: nothing is imported; `dropped`: it stays behind;
 * `changed`: it comes over as something else; `note`: it comes over, and the operator should know.
 */
export type FindingKind = 'blocks' | 'dropped' | 'changed' | 'note';

/** Every kind of finding: what is found, and what happens. */
export const findingTexts = {
  not_exact: ['blocks', 'Values that are no exact whole number', 'correct them in the source first'],
  negative_used: ['changed', 'Negative used amounts', 'they become 0, and the total of the account stays'],
  user_debt: [
    'changed',
    'Accounts with a negative balance',
    'the balance is 0, and the ledger keeps the debt as quota that could not be collected; later credits do not repay it',
  ],
  token_overdrawn: [
    'changed',
    'Tokens with a negative quota',
    'the quota is 0, and the ledger notes by how much it was overdrawn; the account has paid for it',
  ],
  unlimited_negative: [
    'note',
    'Unlimited tokens with a negative quota, which limits nothing',
    'it is 0 here, and the ledger notes it',
  ],
  names_alike: [
    'note',
    'User names that differ only in case or in how they are written',
    'each signs in with its name exactly as it is; no new account can take such a name',
  ],
  name_unusual: [
    'note',
    'User names that a new account could not choose (length, @, invisible characters)',
    'they stay, and sign in as they are',
  ],
  name_empty: ['changed', 'Users without a name', 'they get the name imported_<id>'],
  name_taken: ['changed', 'Users whose name another has, byte by byte', 'the later one gets _<id> behind its name'],
  no_password: ['note', 'Users without a password', 'they sign in by another way, or set one by mail'],
  password_unknown: ['changed', 'Passwords that are no bcrypt hash', 'the hash stays behind: a new password is needed'],
  password_default: ['note', 'Root has the password 123456', 'the console demands another one after the first sign-in'],
  unknown_status: ['changed', 'Rows with an unknown status', 'they are disabled'],
  identity_shared: [
    'changed',
    'Accounts elsewhere (WeChat, Lark, OIDC) that several users have',
    'the first user keeps it, as with One API, where only that one could sign in by it',
  ],
  code_shared: ['changed', 'Invite codes or access tokens that several users have', 'the first user keeps it'],
  aff_quota: [
    'dropped',
    'Invite rewards that were not moved to the balance (New API)',
    'they stay behind: let users move them before, or credit them after',
  ],
  other_sign_in: [
    'dropped',
    'Accounts elsewhere that Weir does not know (Telegram, Discord, LINUX DO)',
    'these users need a password or another way to sign in',
  ],
  deleted_user_keys: [
    'note',
    'Tokens of deleted users',
    'they come over, and are refused as long as their user is deleted',
  ],
  disabled_user_keys: [
    'note',
    'Tokens of disabled users',
    'they come over, and are refused as long as their user is disabled',
  ],
  orphan_token: ['dropped', 'Tokens whose user does not exist', 'they stay behind; no server accepts them'],
  empty_key: ['dropped', 'Rows without a key', 'they stay behind: they cannot be used'],
  key_taken: ['dropped', 'Keys that differ only in blanks around them', 'the later one stays behind'],
  key_unusual: ['note', 'Tokens with keys that are not 48 letters and digits', 'they come over and work as they are'],
  key_unusable: [
    'note',
    'Tokens with keys that no request can carry (blanks, or a hyphen, which begins the channel suffix)',
    'they come over, and can be used here as little as there',
  ],
  subnet: [
    'note',
    'Tokens that are limited to a subnet',
    'behind a proxy all their calls are refused until TRUSTED_PROXIES names it: Weir sees the address of the proxy',
  ],
  subnet_invalid: [
    'note',
    'Tokens with a subnet that is no CIDR range',
    'the text stays; an entry that is no range admits no address',
  ],
  token_group: [
    'changed',
    'Tokens with a group of their own (New API)',
    'the group of the user counts, with its channels and its ratio',
  ],
  unknown_type: [
    'changed',
    'Channels of a type that Weir does not have',
    'they come over disabled; choose a type and enable them',
  ],
  renumbered_type: [
    'changed',
    'Channels whose type has another number here (New API)',
    'they get the number of the same vendor',
  ],
  channel_settings: [
    'dropped',
    'Channel settings that Weir does not have (New API)',
    'tag, status code mapping, overrides and the like stay behind',
  ],
  several_keys: [
    'note',
    'Channels with several lines in their key',
    'they come over as they are; each line is a key of its own only with `multi_key` in the configuration',
  ],
  no_models: ['note', 'Enabled channels without models', 'no call is routed to them but one that names the channel'],
  config_invalid: [
    'note',
    'Channels whose configuration is not valid here',
    'it stays as it is; edit it where calls fail',
  ],
  no_group_ratio: [
    'note',
    'Groups of users or channels that the option GroupRatio does not name',
    'their ratio is 1, as with One API',
  ],
  group_free: ['note', 'Groups with ratio 0', 'their calls are free, as before'],
  redeemed_by: ['note', 'Used codes', 'who used them is not known and stays so; they cannot be used again'],
  code_negative: ['changed', 'Unused codes with a negative quota', 'they are disabled: they could not be redeemed'],
  option_unknown: ['dropped', 'Options without a counterpart', 'they stay behind'],
  option_invalid: [
    'dropped',
    'Options whose value is not valid here',
    'they keep their default; set them in the settings',
  ],
  option_written: ['changed', 'Options whose value is written in another way here', 'they mean the same'],
  log_user_zero: ['note', 'Log rows of user 0', 'they come over; only administrators see them'],
  log_type: ['changed', 'Log rows of a type that Weir does not have', 'they come over as system records (type 4)'],
  log_not_exact: ['dropped', 'Log rows with an amount that is no exact whole number', 'they stay behind'],
  log_no_id: ['dropped', 'Log rows without an id above 0', 'they stay behind'],
} as const satisfies Record<string, readonly [FindingKind, string, string]>;

export type FindingCode = keyof typeof findingTexts;

export interface FindingAt {
  readonly table: SourceTable;
  readonly id: number | string;
  /** What differs afterwards, where something does; several fields have blanks between them. */
  readonly field?: string;
  /** For the operator: the name of the row, never a secret. */
  readonly detail?: string;
}

export interface FindingGroup {
  readonly code: FindingCode;
  readonly kind: FindingKind;
  readonly what: string;
  readonly happens: string;
  readonly count: number;
  /** The first of them. */
  readonly rows: readonly string[];
}

export interface Findings {
  add(code: FindingCode, at: FindingAt): void;
  groups(): readonly FindingGroup[];
  /** Whether a difference at this place was said. */
  isStated(table: SourceTable, id: number | string, field: string): boolean;
  readonly isBlocked: boolean;
}

/** Rows named for each kind of finding; more are counted. */
const namedMax = 1000;

const order: readonly FindingKind[] = ['blocks', 'dropped', 'changed', 'note'];

export const createFindings = (): Findings => {
  const found = new Map<FindingCode, { count: number; readonly rows: string[] }>();
  const stated = new Set<string>();
  return {
    add: (code, { table, id, field, detail }) => {
      const group = found.get(code) ?? { count: 0, rows: [] };
      found.set(code, group);
      group.count += 1;
      const named = table === 'options' ? String(id) : `${table.slice(0, -1)} ${id}`;
      if (group.rows.length < namedMax) group.rows.push(detail === undefined ? named : `${named} (${detail})`);
      const kind = findingTexts[code][0];
      // Rows of the log are proven by their sums.
      if (table !== 'logs' && (kind === 'dropped' || kind === 'changed'))
        for (const one of (field ?? '*').split(' ')) stated.add(`${table} ${id} ${one}`);
    },
    groups: () =>
      [...found]
        .map(([code, { count, rows }]) => {
          const [kind, what, happens] = findingTexts[code];
          return { code, kind, what, happens, count, rows };
        })
        .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind)),
    isStated: (table, id, field) => stated.has(`${table} ${id} ${field}`) || stated.has(`${table} ${id} *`),
    get isBlocked() {
      return found.has('not_exact');
    },
  };
};
