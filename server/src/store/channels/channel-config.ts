import type { Secrets } from '../credentials/secrets.ts';

/** Members of a channel's `config` that are keys of vendors, as other gateways have them there. */
const keyMembers: ReadonlySet<string> = new Set(['sk', 'vertex_ai_adc']);
const proxyMember = 'proxy';

/** In place of a secret in what leaves the server. */
const masked = '***';

type Members = Readonly<Record<string, unknown>>;

/** The members of a config text; null: it is no JSON object. */
const membersOf = (text: string): Members | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
};

/** The text with its text members changed; the text itself where none is. */
const changed = (text: string, change: (name: string, value: string) => string): string => {
  const members = membersOf(text);
  if (members === null) return text;
  const next = Object.entries(members).map(([name, value]) => [
    name,
    typeof value === 'string' && value !== '' ? change(name, value) : value,
  ]);
  const isSame = next.every(([name, value]) => members[String(name)] === value);
  return isSame ? text : JSON.stringify(Object.fromEntries(next));
};

/** A member as it is shown: a proxy without its password. Equal to the value: there is nothing to hide. */
const shown = (name: string, value: string): string => {
  if (keyMembers.has(name)) return masked;
  if (name !== proxyMember) return value;
  return value.replace(/^([a-z]+:\/\/[^/?#]*?):[^/?#]*(@[^/?#@]*)/i, `$1:${masked}$2`);
};

const prefix = 'sealed:';
const sealedIn = (digest: string): string => `channels/config/${digest}`;

const seal = (secrets: Secrets, value: string): string => {
  const digest = secrets.digest(value);
  return `${prefix}${digest}:${secrets.seal(value, sealedIn(digest))}`;
};

const sealedValue = /^sealed:([0-9a-f]+):(.+)$/s;

/** What was stored in clear, such as an imported one, stays as it is. */
const open = (secrets: Secrets, value: string): string => {
  const [, digest, sealed] = sealedValue.exec(value) ?? [];
  return digest === undefined || sealed === undefined ? value : secrets.open(sealed, sealedIn(digest));
};

/** A config text with its secrets. */
export const openChannelConfig = (secrets: Secrets, text: string): string =>
  text.includes(prefix) ? changed(text, (_, value) => open(secrets, value)) : text;

/** A config text whose secrets are sealed with the next key instead of the previous one. */
export const resealedChannelConfig = (
  { previous, next }: { readonly previous: Secrets; readonly next: Secrets },
  text: string,
): string => {
  if (!text.includes(prefix)) return text;
  return changed(text, (_, value) => {
    const [, , sealed = ''] = sealedValue.exec(value) ?? [];
    return previous.isOwn(sealed) ? seal(next, open(previous, value)) : value;
  });
};

/** A config text as it leaves the server. */
export const shownChannelConfig = (secrets: Secrets, text: string): string =>
  changed(openChannelConfig(secrets, text), shown);

/** A config text as it is stored. A secret that came back as it was shown is the one of the `stored` text. */
export const storedChannelConfig = (secrets: Secrets, text: string, stored: string): string => {
  const before = membersOf(stored) ?? {};
  return changed(text, (name, value) => {
    const kept = before[name];
    const clear = typeof kept === 'string' ? open(secrets, kept) : '';
    const isKept = clear !== '' && (value === clear || value === shown(name, clear));
    if (isKept && typeof kept === 'string' && kept.startsWith(prefix)) return kept;
    const next = isKept ? clear : value;
    return shown(name, next) === next ? next : seal(secrets, next);
  });
};

/** The proxy in a config text, with its password; empty: none. */
export const proxyIn = (secrets: Secrets, text: string): string => {
  const value = membersOf(openChannelConfig(secrets, text))?.[proxyMember];
  return typeof value === 'string' ? value : '';
};
