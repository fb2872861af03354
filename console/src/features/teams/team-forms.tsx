import { useQueryClient } from '@tanstack/react-query';
import type { TeamRole } from '@weir/contract/teams/team-roles';
import { teamRoles } from '@weir/contract/teams/team-roles';
import type { Team } from '@weir/contract/teams/teams';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { Input } from '../../components/form/input.tsx';
import { Select } from '../../components/form/select.tsx';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { formatQuota } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { addMember, redeemFor } from './queries.ts';
import { roleTexts } from './team-texts.ts';

interface TeamFormProps {
  readonly team: Pick<Team, 'id'>;
}

const row = 'flex flex-wrap gap-2 p-4';

/** A text that is sent, and emptied once it has arrived. */
const useSentText = (send: (text: string) => Promise<void>) => {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (busy || text.trim() === '') return;
    setBusy(true);
    try {
      await send(text.trim());
      setText('');
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return { text, setText, busy, onSubmit: (event: SubmitEvent<HTMLFormElement>) => void submit(event) };
};

/** Adds a user to a team by the user name. */
export const AddMember = ({ team }: TeamFormProps) => {
  const t = useT();
  const client = useQueryClient();
  const [role, setRole] = useState<TeamRole>('member');
  const { text, setText, busy, onSubmit } = useSentText(async (username) => {
    await addMember(client, team, { username, role });
    toast('success', m.team_member_added({ name: username }));
  });
  return (
    <form noValidate className={`${row} border-t border-line`} onSubmit={onSubmit}>
      <span className="min-w-40 flex-1">
        <Input
          aria-label={t(m.user_username)}
          placeholder={t(m.user_username)}
          value={text}
          maxLength={256}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
      </span>
      <Select
        aria-label={t(m.user_role)}
        value={role}
        choices={teamRoles.map((each) => [each, t(roleTexts[each])] as const)}
        onPick={setRole}
      />
      <Button type="submit" sends icon="plus" busy={busy}>
        {t(m.team_add_member)}
      </Button>
    </form>
  );
};

/** Adds the quota of a redemption code to the balance of a team. */
export const RedeemCode = ({ team }: TeamFormProps) => {
  const t = useT();
  const client = useQueryClient();
  const display = useQuotaDisplay();
  const { text, setText, busy, onSubmit } = useSentText(async (code) => {
    const added = await redeemFor(client, team, code);
    toast('success', m.topup_done({ amount: formatQuota(added, display) }));
  });
  return (
    <form noValidate className={row} onSubmit={onSubmit}>
      <span className="min-w-40 flex-1">
        <Input
          aria-label={t(m.topup_code)}
          placeholder={t(m.topup_code)}
          className="font-mono text-13"
          value={text}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setText(target.value)}
        />
      </span>
      <Button type="submit" sends busy={busy}>
        {t(m.topup_redeem)}
      </Button>
    </form>
  );
};
