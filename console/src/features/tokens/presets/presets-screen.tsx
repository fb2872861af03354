import { useQueryClient } from '@tanstack/react-query';
import type { KeyPreset } from '@weir/contract/invitations/key-presets';
import { ListScreen } from '../../../components/list/list-screen.tsx';
import { ListUnderSheet } from '../../../components/list/list-under-sheet.tsx';
import { confirmRemoval } from '../../../components/list/row-actions.ts';
import { useListState } from '../../../components/list/use-list-state.ts';
import type { MenuEntry } from '../../../components/overlay/overlays.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { keepByName } from '../../../lib/lists/keep-by-name.ts';
import { navigate } from '../../../lib/router/navigate.ts';
import { m } from '../../../paraglide/messages.js';
import { managedSearch } from '../managed/managed-search.ts';
import { presetColumns } from './preset-columns.tsx';
import { presetsList, removePreset } from './preset-queries.ts';

const texts = {
  title: m.preset_title,
  search: m.token_search,
  empty: [m.preset_empty_title, m.preset_empty_text],
  noMatch: m.preset_none_title,
} as const;

const source = {
  read: managedSearch,
  pages: presetsList,
  keepOf: keepByName,
};

/** `/key-preset` */
export const PresetsScreen = () => (
  <ListUnderSheet path="/key-preset">
    <PresetList />
  </ListUnderSheet>
);

const edit = ({ id }: KeyPreset): void => void navigate(`/key-preset/edit/${id}`, { keepSearch: true });

const PresetList = () => {
  const t = useT();
  const client = useQueryClient();
  const state = useListState(source);
  const remove = (preset: KeyPreset): void =>
    void confirmRemoval(
      {
        title: m.preset_delete_title({ name: preset.name }),
        text: m.preset_delete_text(),
        verb: m.preset_delete(),
      },
      () => removePreset(client, preset),
    );
  const entriesOf = (preset: KeyPreset): readonly MenuEntry[] => [
    { kind: 'action', icon: 'edit', text: t(m.edit), keys: 'E', run: () => edit(preset) },
    { kind: 'line' },
    { kind: 'action', sends: true, icon: 'trash', text: t(m.preset_delete), danger: true, run: () => remove(preset) },
  ];
  return (
    <ListScreen
      name="key-presets"
      icon="key"
      texts={texts}
      state={state}
      columns={presetColumns}
      add={{ href: '/key-preset/add', text: m.preset_add }}
      nameOf={({ name }) => name}
      onOpen={edit}
      entriesOf={entriesOf}
    />
  );
};
