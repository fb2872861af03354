import { useQuery, useQueryClient } from '@tanstack/react-query';
import { can } from '@weir/contract/roles';
import type { TeamWithMembers } from '@weir/contract/teams/teams';
import { useParams } from 'wouter';
import { Button, buttonClass } from '../../components/button.tsx';
import { Crumbs } from '../../components/crumbs.tsx';
import { Failure } from '../../components/failure.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { Icon } from '../../components/icon.tsx';
import { confirmRemoval } from '../../components/list/row-actions.ts';
import { PageHead } from '../../components/page-head.tsx';
import { Nothing, Section } from '../../components/section.tsx';
import { Money } from '../../components/text/money.tsx';
import { Tile } from '../../components/text/tile.tsx';
import { currentUser } from '../../lib/api/session.ts';
import { useLanguage } from '../../lib/browser/locale.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { AddMember, RedeemCode } from './team-forms.tsx';
import { MemberTable } from './member-table.tsx';
import { removeMember, teamQuery } from './queries.ts';
import { manages, roleTexts } from './team-texts.ts';

/** `/team/{id}`: the balance of a team, and its members. */
export const TeamScreen = () => {
  const { id }: { id?: string } = useParams();
  const t = useT();
  const { data: team, error, refetch } = useQuery(teamQuery(Number(id)));
  if (team === undefined)
    return (
      <>
        <PageHead title={t(m.team_detail)} />
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={4} />}
      </>
    );
  const isManaged = manages(team);
  return (
    <>
      <Crumbs title={team.name} />
      <PageHead title={team.display_name || team.name}>
        <Actions team={team} />
      </PageHead>
      <div className="flex flex-col gap-3">
        <Facts team={team} />
        <Section title={t(m.team_members)}>
          {team.people.length === 0 ? <Nothing text={t(m.team_no_members)} /> : <MemberTable team={team} />}
          {isManaged && <AddMember team={team} />}
        </Section>
        {isManaged && (
          <Section title={t(m.team_top_up)}>
            <RedeemCode team={team} />
          </Section>
        )}
      </div>
    </>
  );
};

/** Administrators find the records of all accounts by the user name. */
const logsOf = ({ id, name }: TeamWithMembers): string =>
  can(currentUser()?.role, 'admin') ? `/log?username=${encodeURIComponent(name)}` : `/log?team=${id}`;

const Actions = ({ team }: { readonly team: TeamWithMembers }) => {
  const t = useT();
  const client = useQueryClient();
  const leave = async (): Promise<void> => {
    const question = {
      title: m.team_leave_title({ name: team.name }),
      text: m.team_leave_text(),
      verb: m.team_leave(),
    };
    if (await confirmRemoval(question, () => removeMember(client, team, currentUser()?.id ?? 0)))
      await navigate('/team');
  };
  return (
    <>
      <a className={buttonClass('plain')} href={`/team/tokens/${team.id}`}>
        <Icon name="key" />
        {t(m.team_tokens)}
      </a>
      {manages(team) && (
        <a className={buttonClass('plain')} href={logsOf(team)}>
          <Icon name="log" />
          {t(m.team_logs)}
        </a>
      )}
      {manages(team) && (
        <a className={buttonClass('plain')} href={`/statement?team=${team.id}`}>
          <Icon name="calendar" />
          {t(m.statement_title)}
        </a>
      )}
      {team.role !== '' && (
        <Button sends icon="sign-out" onClick={() => void leave()}>
          {t(m.team_leave)}
        </Button>
      )}
    </>
  );
};

const Facts = ({ team }: { readonly team: TeamWithMembers }) => {
  const t = useT();
  const language = useLanguage();
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Tile name={t(m.team_balance)}>
        <Money quota={team.quota} />
      </Tile>
      <Tile name={t(m.team_used)} detail={t(m.team_requests, { count: team.request_count.toLocaleString(language) })}>
        <Money quota={team.used_quota} fine />
      </Tile>
      <Tile name={t(m.team_own_role)}>
        <span className="min-w-0 truncate">{t(roleTexts[team.role])}</span>
      </Tile>
      <Tile name={t(m.team_group)}>
        <span className="min-w-0 truncate" title={team.group}>
          {team.group}
        </span>
      </Tile>
    </dl>
  );
};
