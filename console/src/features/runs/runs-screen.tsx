import { useQueryClient } from '@tanstack/react-query';
import type { Run } from '@weir/contract/limits/runs';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListState } from '../../components/list/use-list-state.ts';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { runColumns } from './columns.tsx';
import { confirmEnd } from './confirm-end.ts';
import { runsList } from './queries.ts';
import { runsSearch } from './runs-search.ts';

const texts = {
  title: m.run_title,
  search: m.run_search,
  empty: [m.run_empty_title, m.run_empty_text],
  noMatch: m.run_none_title,
} as const;

const source = { read: runsSearch, pages: runsList };

const open = ({ id }: Run): void => void navigate(`/run/${id}`);

/** `/run` */
export const RunsScreen = () => {
  const t = useT();
  const client = useQueryClient();
  const state = useListState(source);
  const entriesOf = (run: Run): readonly MenuEntry[] => [
    { kind: 'action', icon: 'chart', text: t(m.run_open_page), run: () => open(run) },
    { kind: 'line' },
    {
      kind: 'action',
      sends: true,
      icon: 'pause',
      text: t(m.run_stop),
      danger: true,
      disabled: run.end !== '',
      run: () => void confirmEnd(client, run),
    },
  ];
  return (
    <ListScreen
      name="runs"
      icon="play"
      texts={texts}
      state={state}
      columns={runColumns}
      nameOf={({ name }) => name}
      onOpen={open}
      entriesOf={entriesOf}
    />
  );
};
