import { can } from '@weir/contract/roles';
import type { Team } from '@weir/contract/teams/teams';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { ListUnderSheet } from '../../components/list/list-under-sheet.tsx';
import { useListState } from '../../components/list/use-list-state.ts';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import { currentUser } from '../../lib/api/session.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { teamColumns } from './columns.tsx';
import { teamsList } from './queries.ts';
import { manages } from './team-texts.ts';
import { teamsSearch } from './teams-search.ts';

const texts = {
  title: m.team_title,
  search: m.team_search,
  empty: [m.team_empty_title, m.team_empty_text],
  noMatch: m.team_none_title,
} as const;

const source = { read: teamsSearch, pages: teamsList };

const open = ({ id }: Team): void => void navigate(`/team/${id}`);

/** `/team`: the own teams, and all of them for administrators. */
export const TeamsScreen = () => (
  <ListUnderSheet path="/team">
    <TeamList />
  </ListUnderSheet>
);

const TeamList = () => {
  const t = useT();
  const state = useListState(source);
  const isAdmin = can(currentUser()?.role, 'admin');
  const entriesOf = (team: Team): readonly MenuEntry[] => [
    { kind: 'action', icon: 'users', text: t(m.team_open), run: () => open(team) },
    { kind: 'link', icon: 'key', text: t(m.team_tokens), href: `/team/tokens/${team.id}` },
    ...(manages(team)
      ? ([
          { kind: 'link', icon: 'calendar', text: t(m.statement_title), href: `/statement?team=${team.id}` },
          { kind: 'link', icon: 'wallet', text: t(m.budget_add), href: `/budget/add?scope=user&subject=${team.id}` },
        ] as const)
      : []),
    ...(isAdmin
      ? ([{ kind: 'link', icon: 'edit', text: t(m.team_account), href: `/user/edit/${team.id}` }] as const)
      : []),
  ];
  return (
    <ListScreen
      name="teams"
      icon="users"
      texts={texts}
      state={state}
      columns={teamColumns}
      {...(isAdmin && { add: { href: '/team/add', text: m.team_add } })}
      nameOf={({ name }) => name}
      onOpen={open}
      entriesOf={entriesOf}
    />
  );
};
