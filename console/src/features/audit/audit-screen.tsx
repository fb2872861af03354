import { useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useMemo, useState } from 'react';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListState } from '../../components/list/use-list-state.ts';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import { Select } from '../../components/form/select.tsx';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';
import type { Patch } from '../../lib/hooks/use-search-state.ts';
import { currentT, useT } from '../../lib/hooks/use-t.ts';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { actorOf, subjectOf } from './audit-detail.ts';
import { auditSearch } from './audit-search.ts';
import type { AuditSearch } from './audit-search.ts';
import { hrefOf, labelOf } from './audit-labels.ts';
import { auditColumns } from './columns.tsx';
import { auditPages } from './queries.ts';
import type { AuditEntry } from './queries.ts';

const AuditSheet = lazy(async () => ({ default: (await import('./audit-sheet.tsx')).AuditSheet }));

const usualSize = 20;

const texts = {
  title: m.audit_title,
  search: m.audit_search,
  empty: [m.audit_empty_title, m.audit_empty_text],
  noMatch: m.audit_none_title,
} as const;

/** The server has no search for entries: only the loaded ones are searched. */
const keepOf = ({ q = '', actor, action }: AuditSearch): ((entry: AuditEntry) => boolean) | undefined => {
  if (q === '' && actor === undefined && action === undefined) return undefined;
  const query = q.toLowerCase();
  const t = currentT();
  return (entry) =>
    (actor === undefined || actorOf(entry, t) === actor) &&
    (action === undefined || entry.action === action) &&
    [...auditColumns.map(({ text }) => String(text?.(entry) ?? '')), entry.subject, entry.detail].some((text) =>
      text.toLowerCase().includes(query),
    );
};

interface EntryMenu {
  readonly entry: AuditEntry;
  readonly patch: Patch<AuditSearch>;
  readonly open: () => void;
  readonly t: Translate;
}

const entriesOf = ({ entry, patch, open, t }: EntryMenu): readonly MenuEntry[] => {
  const { action, subject, detail } = entry;
  const actor = actorOf(entry, t);
  const href = hrefOf(subject);
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
    only(t(labelOf(action)), { action }),
    only(actor, { actor }),
    ...(href === undefined ? [] : [{ kind: 'link', icon: 'link', text: subjectOf(entry, t), href } as const]),
  ];
};

/** `/audit`: the audit log. */
export const AuditScreen = () => {
  const t = useT();
  const client = useQueryClient();
  const pages = useMemo(() => auditPages(client), [client]);
  const state = useListState({ read: auditSearch, pages: () => pages, keepOf, usualSize });
  const { search, patch } = state;
  const [opened, setOpened] = useState<AuditEntry>();
  return (
    <>
      <ListScreen
        name="audit"
        icon="file"
        texts={texts}
        state={state}
        columns={auditColumns}
        filters={<Filters rows={state.list.rows} search={search} patch={patch} />}
        chosen={{ action: search.action && t(labelOf(search.action)), actor: search.actor }}
        nameOf={({ id, action }) => `${t(labelOf(action))} ${id}`}
        onOpen={setOpened}
        onCopy={({ detail, subject }) => void copyAloud(detail || subject)}
        entriesOf={(entry) => entriesOf({ entry, patch, t, open: () => setOpened(entry) })}
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

/** The distinct values of the rows, and the selected one. */
const choicesOf = (values: readonly string[], chosen: string | undefined): readonly string[] =>
  [...new Set([...values, chosen ?? ''])].filter(Boolean).sort();

const Filters = ({ rows, search: { actor, action }, patch }: FiltersProps) => {
  const t = useT();
  const actors = useMemo(
    () =>
      choicesOf(
        rows.map((entry) => actorOf(entry, t)),
        actor,
      ),
    [rows, actor, t],
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
        choices={[['', t(m.audit_action_all)] as const, ...actions.map((id) => [id, t(labelOf(id))] as const)]}
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
