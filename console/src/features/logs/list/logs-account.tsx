import { useQuery } from '@tanstack/react-query';
import { getTeam } from '@weir/contract/teams/teams';
import { tokenCalls } from '@weir/contract/teams/token-calls';
import { Button } from '../../../components/button.tsx';
import { call } from '../../../lib/api/call.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { LogsSearch } from '../filters/logs-search.ts';

interface LogsAccountProps {
  readonly team: number;
  /** One token of the team; undefined: all. */
  readonly tokenId: number | undefined;
  readonly patch: Patch<LogsSearch>;
}

/** Says that the records are those of a team, or of one of its tokens. */
export const LogsAccount = ({ team, tokenId, patch }: LogsAccountProps) => {
  const t = useT();
  const { data } = useQuery({
    queryKey: ['log-account', team, tokenId],
    queryFn: async ({ signal }) => {
      const [{ name }, token] = await Promise.all([
        call(getTeam, { params: { id: team }, signal }),
        tokenId === undefined
          ? undefined
          : call(tokenCalls.team.get, { params: { id: team, token: tokenId }, signal }).catch(() => undefined),
      ]);
      return { name, token: token?.name ?? (tokenId === undefined ? undefined : `#${tokenId}`) };
    },
  });
  const { name = `#${team}`, token } = data ?? {};
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 pb-2 text-14">
      <span className="min-w-0 wrap-anywhere">
        {token === undefined ? t(m.log_of_team, { name }) : t(m.log_of_team_token, { name, token })}
      </span>
      <Button look="quiet" onClick={() => patch({ team: undefined, token_id: undefined, p: undefined })}>
        {t(m.log_own)}
      </Button>
    </div>
  );
};
