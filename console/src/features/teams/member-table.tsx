import { useQueryClient } from '@tanstack/react-query';
import { teamRoles } from '@weir/contract/teams/team-roles';
import type { TeamMember, TeamWithMembers } from '@weir/contract/teams/teams';
import { Select } from '../../components/form/select.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { confirmRemoval, report } from '../../components/list/row-actions.ts';
import { plainCell, plainFigure, plainSpare, PlainTable } from '../../components/table/plain-table.tsx';
import { Money } from '../../components/text/money.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { removeMember, setRole } from './queries.ts';
import { manages, roleTexts } from './team-texts.ts';

/** Narrower on phones, so that names have room. */
const actionsCell = `${plainFigure} max-md:pr-2! max-md:pl-0!`;

interface MemberTableProps {
  readonly team: TeamWithMembers;
}

/** Who is in a team, and what each has spent of its balance. */
export const MemberTable = ({ team }: MemberTableProps) => {
  const t = useT();
  const heads = [
    [t(m.team_member), plainCell],
    [t(m.user_role), `${plainCell} w-px`],
    [t(m.team_member_tokens), plainSpare],
    [t(m.team_used), plainSpare],
    ...(manages(team) ? ([[t(m.team_actions), actionsCell]] as const) : []),
  ] as const;
  return (
    <PlainTable caption={t(m.team_members)} heads={heads}>
      {team.people.map((member) => (
        <MemberRow key={member.id} team={team} member={member} />
      ))}
    </PlainTable>
  );
};

const MemberRow = ({ team, member }: MemberTableProps & { readonly member: TeamMember }) => {
  const t = useT();
  const client = useQueryClient();
  const { username, display_name: displayName, role, tokens, used_quota: used } = member;
  const isManaged = manages(team);
  return (
    <tr className="border-t border-line">
      <td className={`${plainCell} w-full max-w-0 truncate`} title={displayName || username}>
        <span className="font-medium">{username}</span>{' '}
        {displayName !== username && <span className="text-mute max-md:hidden">{displayName}</span>}
        <span className="block text-12 text-mute md:hidden">
          <Money quota={used} fine />
        </span>
      </td>
      <td className={`${plainCell} w-px`}>
        {isManaged ? (
          <Select
            aria-label={t(m.team_role_of, { name: username })}
            className="min-w-28"
            value={role}
            choices={teamRoles.map((each) => [each, t(roleTexts[each])] as const)}
            onPick={(picked) => void report(setRole(client, team, member, picked))}
          />
        ) : (
          t(roleTexts[role])
        )}
      </td>
      <td className={plainSpare}>{tokens}</td>
      <td className={plainSpare}>
        <Money quota={used} fine />
      </td>
      {isManaged && <MemberActions team={team} member={member} />}
    </tr>
  );
};

const MemberActions = ({ team, member }: MemberTableProps & { readonly member: TeamMember }) => {
  const t = useT();
  const client = useQueryClient();
  const { id, username: name, user_id: user } = member;
  const remove = (): void =>
    void confirmRemoval(
      { title: m.team_remove_title({ name }), text: m.team_remove_text(), verb: m.team_remove() },
      () => removeMember(client, team, user),
    );
  return (
    <td className={`${actionsCell} py-1!`}>
      <IconButton
        icon="wallet"
        label={t(m.team_budget_of, { name })}
        onClick={() => void navigate(`/budget/add?scope=member&subject=${id}`)}
      />
      <IconButton sends icon="trash" label={t(m.team_remove_of, { name })} onClick={remove} />
    </td>
  );
};
