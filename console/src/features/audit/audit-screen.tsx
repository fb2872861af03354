import { useQueryClient } from '@tanstack/react-query';
import { auditPageSize } from '@weir/contract/audit';
import { Suspense, lazy, useMemo, useState } from 'react';
import { DataTable } from '../../components/table/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { ListToolbar } from '../../components/list/list-toolbar.tsx';
import { ListFacts } from '../../components/list/list-tools.tsx';
import { NoMatch } from '../../components/list/no-match.tsx';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import { PageHead } from '../../components/page-head.tsx';
import { RefreshButton } from '../../components/list/refresh-button.tsx';
import { Select } from '../../components/form/select.tsx';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';
import { wirePagesFor } from '../../lib/lists/pager.ts';
import { usePagedList } from '../../lib/lists/paged-list.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import type { Patch } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { auditSearch } from './audit-search.ts';
import type { AuditSearch } from './audit-search.ts';
import { placeOf, wordOf } from './audit-words.ts';
import { auditColumns } from './columns.tsx';
import { auditPages } from './queries.ts';
import type { AuditEntry } from './queries.ts';

const AuditSheet = lazy(async () => ({ default: (await import('./audit-sheet.tsx')).AuditSheet }));

const usualSize = 20;

/** The server sends entries in their order alone; what is looked for is looked for among those that are loaded. */
const keepOf = ({ q = '', actor, action }: AuditSearch): ((entry: AuditEntry) => boolean) | undefined => {
  if (q === '' && actor === undefined && action === undefined) return undefined;
  const wanted = q.toLowerCase();
  return (entry) =>
    (actor === undefined || entry.actor_name === actor) &&
    (action === undefined || entry.action === action) &&
    [entry.actor_name, entry.subject, entry.detail, entry.address, entry.request_id].some((text) =>
      text.toLowerCase().includes(wanted),
    );
};

interface EntryMenu {
  readonly entry: AuditEntry;
  readonly patch: Patch<AuditSearch>;
  readonly open: () => void;
  readonly t: Translate;
}

const entriesOf = ({ entry, patch, open, t }: EntryMenu): readonly MenuEntry[] => {
  const { actor_name: actor, action, subject, detail } = entry;
  const place = placeOf(subject);
  const only = (value: string, change: Partial<AuditSearch>): MenuEntry => ({
    kind: 'action',
    icon: 'filter',
    text: t(m.log_only, { value }),
    run: () => patch({ ...change, p: undefined }),
  });
  const copied = detail || subject;
  return [
    { kind: 'action', icon: 'eye', text: t(m.audit_open), keys: '↵', run: open },
    { kind: 'action', icon: 'copy', text: t(m.audit_copy), keys: 'C', run: () => void copyAloud(copied) },
    { kind: 'line' },
    only(t(wordOf(action)), { action }),
    ...(actor === '' ? [] : [only(actor, { actor })]),
    ...(place === undefined ? [] : [{ kind: 'link', icon: 'link', text: subject, href: place } as const]),
  ];
};

/** `/audit`: who did what. */
export const AuditScreen = () => {
  const t = useT();
  const client = useQueryClient();
  const [search, patch] = useSearchState(auditSearch);
  const [all, setAll] = useState(false);
  const [opened, setOpened] = useState<AuditEntry>();
  const keep = useMemo(() => keepOf(search), [search]);
  const pages = useMemo(() => auditPages(client), [client]);
  const needed = wirePagesFor(search.p ?? 1, search.size ?? usualSize, auditPageSize);
  const list = usePagedList({ ...pages, needed, all: all || keep !== undefined });
  const clear = (): void => patch({ q: undefined, actor: undefined, action: undefined, p: undefined });
  const shared = { name: 'audit', columns: auditColumns, list, search, patch, keep };
  return (
    <>
      <PageHead title={t(m.audit_title)} facts={<ListFacts list={list} />} />
      <ListToolbar {...shared} searchLabel={t(m.audit_search)}>
        <Filters rows={list.rows} search={search} patch={patch} />
      </ListToolbar>
      <DataTable
        {...shared}
        label={t(m.audit_title)}
        usualSize={usualSize}
        nameOf={({ id, action }) => `${t(wordOf(action))} ${id}`}
        onOpen={setOpened}
        onCopy={({ detail, subject }) => void copyAloud(detail || subject)}
        entriesOf={(entry) => entriesOf({ entry, patch, t, open: () => setOpened(entry) })}
        onLoadAll={() => setAll(true)}
        empty={<Empty icon="file" title={t(m.audit_empty_title)} text={t(m.audit_empty_text)} />}
        noMatch={
          <NoMatch
            title={t(m.audit_none_title)}
            filters={[search.q, search.action && t(wordOf(search.action)), search.actor]}
            onClear={clear}
          />
        }
        footer={<RefreshButton list={list} />}
      />
      {opened && (
        <Suspense>
          <AuditSheet entry={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  );
};

interface FiltersProps {
  readonly rows: readonly AuditEntry[];
  readonly search: AuditSearch;
  readonly patch: Patch<AuditSearch>;
}

/** The different values among the rows and the chosen one. */
const choicesOf = (values: readonly string[], chosen: string | undefined): readonly string[] =>
  [...new Set([...values, chosen ?? ''])].filter(Boolean).sort();

const Filters = ({ rows, search: { actor, action }, patch }: FiltersProps) => {
  const t = useT();
  const actors = useMemo(
    () =>
      choicesOf(
        rows.map(({ actor_name: name }) => name),
        actor,
      ),
    [rows, actor],
  );
  const actions = useMemo(
    () =>
      choicesOf(
        rows.map((entry) => entry.action),
        action,
      ),
    [rows, action],
  );
  const narrow = 'max-md:min-w-0 max-md:basis-32 max-md:grow';
  return (
    <>
      <Select
        aria-label={t(m.audit_action)}
        value={action ?? ''}
        choices={[['', t(m.audit_action_all)] as const, ...actions.map((id) => [id, t(wordOf(id))] as const)]}
        onPick={(picked) => patch({ action: picked || undefined, p: undefined })}
        className={narrow}
      />
      <Select
        aria-label={t(m.audit_actor)}
        value={actor ?? ''}
        choices={[['', t(m.audit_actor_all)] as const, ...actors.map((name) => [name, name] as const)]}
        onPick={(picked) => patch({ actor: picked || undefined, p: undefined })}
        className={narrow}
      />
    </>
  );
};
