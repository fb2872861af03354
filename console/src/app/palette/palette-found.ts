import { useQuery } from '@tanstack/react-query';
import { searchChannels } from '@weir/contract/channels';
import { logType, searchLogs, searchOwnLogs } from '@weir/contract/logs';
import { listTokens, searchTokens } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import { listAvailableModels } from '@weir/contract/models';
import { searchUsers } from '@weir/contract/users';
import { pageSize } from '@weir/contract/wire';
import type { IconName } from '../../components/icon.tsx';
import { call } from '../../lib/api/call.ts';
import { hasCapabilities } from '../../lib/api/capabilities.ts';
import { currentStatus } from '../../lib/api/status.ts';
import { stringifySearch } from '../../lib/lists/search-params.ts';
import { mayI } from '../../lib/api/session.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { rememberRecent } from './palette-recent.ts';

/** A line of the palette. */
export interface PaletteItem {
  readonly id: string;
  readonly section: string;
  readonly icon: IconName;
  readonly text: string;
  readonly run: () => void;
}

type Go = (path: string) => void;

const foundMax = 5;
const keyPagesMax = 20;

/** A whole key: it is searched locally and put into no address. */
const isSecret = (text: string): boolean => text.startsWith('sk-');
const isRequest = (text: string): boolean => /^[\w-]{16,64}$/.test(text) && !isSecret(text);

const readKeys = async (signal: AbortSignal): Promise<readonly Token[]> => {
  const keys: Token[] = [];
  for (let page = 0; page < keyPagesMax; page += 1) {
    const rows = await call(listTokens, { query: { p: page, order: '' }, signal });
    keys.push(...rows);
    if (rows.length < pageSize) break;
  }
  return keys;
};

/** The own token whose whole key was pasted. */
const usePasted = (typed: string): readonly Token[] => {
  const { data = [] } = useQuery({
    queryKey: ['palette', 'own keys'],
    queryFn: ({ signal }) => readKeys(signal),
    enabled: isSecret(typed) && mayI('user'),
  });
  return isSecret(typed) ? data.filter(({ key }) => `sk-${key}` === typed) : [];
};

/** An entry that opens a page and remembers it for the next search. */
const linkTo = (go: Go, path: string, text: string): Pick<PaletteItem, 'text' | 'run'> => ({
  text,
  run: () => {
    rememberRecent({ path, text });
    go(path);
  },
});

/** The record of a request id. */
const useRequest = (typed: string, go: Go): readonly PaletteItem[] => {
  const t = useT();
  const { data } = useQuery({
    queryKey: ['palette', 'request', typed],
    queryFn: ({ signal }) => call(mayI('admin') ? searchLogs : searchOwnLogs, { query: { keyword: typed }, signal }),
    enabled: isRequest(typed) && mayI('user'),
  });
  const record = data?.find(({ request_id: id }) => id === typed);
  if (record === undefined) return [];
  const { id, created_at: at, type } = record;
  const place = type === logType.refused ? { type, id, at } : { id, at };
  const entry = linkTo(go, `/log${stringifySearch(place)}`, typed);
  return [{ id: 'request', section: t(m.log_title), icon: 'log', ...entry }];
};

/** The models that the own account can call, by a part of their name. */
const useModels = (typed: string, enabled: boolean, go: Go): readonly PaletteItem[] => {
  const t = useT();
  const { data = [] } = useQuery({
    queryKey: ['available-models'],
    queryFn: ({ signal }) => call(listAvailableModels, { signal }),
    enabled,
  });
  if (!enabled) return [];
  const query = typed.toLowerCase();
  const found = data.filter((name) => name.toLowerCase().includes(query)).slice(0, foundMax);
  return found.map((name): PaletteItem => ({
    id: `model-${name}`,
    section: t(m.channel_models),
    icon: 'tag',
    ...linkTo(go, `/pricing${stringifySearch({ q: name })}`, name),
  }));
};

/** Tokens, channels, users and models by name, from the server; a request by its id, and an own token by its key. */
export const useFound = (typed: string, go: Go): readonly PaletteItem[] => {
  const t = useT();
  const enabled = typed.length > 1 && !isSecret(typed);
  const tokens = useQuery({
    queryKey: ['palette', 'tokens', typed],
    queryFn: ({ signal }) => call(searchTokens, { query: { keyword: typed }, signal }),
    enabled: enabled && mayI('user'),
  });
  const channels = useQuery({
    queryKey: ['palette', 'channels', typed],
    queryFn: ({ signal }) => call(searchChannels, { query: { keyword: typed }, signal }),
    enabled: enabled && mayI('admin'),
  });
  const users = useQuery({
    queryKey: ['palette', 'users', typed],
    queryFn: ({ signal }) => call(searchUsers, { query: { keyword: typed }, signal }),
    enabled: enabled && mayI('admin'),
  });
  const models = useModels(typed, enabled && mayI('user') && hasCapabilities(currentStatus()), go);
  const pasted = usePasted(typed);
  const request = useRequest(typed, go);
  const keys = [...pasted, ...(tokens.data ?? [])].slice(0, foundMax).map(({ id, name }): PaletteItem => ({
    id: `key-${id}`,
    section: t(m.token_title),
    icon: 'key',
    ...linkTo(go, `/token/edit/${id}`, name),
  }));
  const links = (channels.data ?? []).slice(0, foundMax).map(({ id, name }): PaletteItem => ({
    id: `channel-${id}`,
    section: t(m.channel_title),
    icon: 'channel',
    ...linkTo(go, `/channel/edit/${id}`, name),
  }));
  const people = (users.data ?? []).slice(0, foundMax).map(({ id, username }): PaletteItem => ({
    id: `user-${id}`,
    section: t(m.user_title),
    icon: 'user',
    ...linkTo(go, `/user/edit/${id}`, username),
  }));
  return [...request, ...keys, ...links, ...people, ...models];
};
