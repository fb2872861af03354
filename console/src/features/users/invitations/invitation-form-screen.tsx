import { useQuery, useQueryClient } from '@tanstack/react-query';
import { invitationNameMax, invitationUsesMax } from '@weir/contract/invitations/invitations';
import type { Invitation } from '@weir/contract/invitations/invitations';
import { defaultGroup } from '@weir/contract/groups';
import { useState } from 'react';
import { buttonClass } from '../../../components/button.tsx';
import { DoneMark } from '../../../components/done-mark.tsx';
import { DateTimeInput } from '../../../components/form/date-time-input.tsx';
import { Field } from '../../../components/form/field.tsx';
import { FormButtons } from '../../../components/form/form-buttons.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { Input } from '../../../components/form/input.tsx';
import { Select } from '../../../components/form/select.tsx';
import { useSave } from '../../../components/form/use-save.ts';
import { CopyField } from '../../../components/text/copy-field.tsx';
import { keyPresetsQuery } from '../../../lib/api/key-presets.ts';
import { focusFirstInvalid } from '../../../lib/hooks/focus-first-invalid.ts';
import { useNow } from '../../../lib/hooks/use-now.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { groupsQuery } from '../queries.ts';
import { linkOf, saveInvitation, teamChoicesQuery } from './invitation-queries.ts';
import { fieldsOf, isExpiryWrong, isNameWrong, isUsesWrong, newInvitation } from './invitation-values.ts';
import type { InvitationValues } from './invitation-values.ts';

/** `/invitation/add` */
export const InvitationFormScreen = () => {
  const t = useT();
  const client = useQueryClient();
  const [values, setValues] = useState(newInvitation);
  const [isChecked, setChecked] = useState(false);
  const [made, setMade] = useState<Invitation>();
  const { busy, save } = useSave({ values, initial: newInvitation });
  const submit = (): void => {
    setChecked(true);
    if (isNameWrong(values) || isUsesWrong(values) || isExpiryWrong(values, Date.now())) focusFirstInvalid();
    else save(async () => setMade(await saveInvitation(client, fieldsOf(values, Date.now()))));
  };
  if (made) return <LinkReady invitation={made} />;
  return (
    <FormFrame
      title={t(m.invitation_new_title)}
      onSubmit={submit}
      footer={<FormButtons cancelPath="/invitation" verb={t(m.create)} busy={busy} />}
    >
      <InvitationFields
        values={values}
        isChecked={isChecked}
        onChange={(changes) => setValues({ ...values, ...changes })}
      />
    </FormFrame>
  );
};

const LinkReady = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useT();
  return (
    <FormFrame
      title={invitation.name}
      footer={
        <a className={buttonClass('primary')} href="/invitation">
          {t(m.done)}
        </a>
      }
    >
      <DoneMark title={t(m.invitation_ready)} text={t(m.invitation_ready_text)} />
      <CopyField text={linkOf(invitation)} label={t(m.invitation_link)} copyLabel={t(m.invitation_copy)} />
    </FormFrame>
  );
};

interface InvitationFieldsProps {
  readonly values: InvitationValues;
  /** Wrong values are shown as such. */
  readonly isChecked: boolean;
  readonly onChange: (changes: Partial<InvitationValues>) => void;
}

const InvitationFields = (props: InvitationFieldsProps) => {
  const t = useT();
  const now = useNow(1000);
  const { values, isChecked, onChange } = props;
  return (
    <>
      <Field
        label={t(m.invitation_name)}
        error={isChecked && isNameWrong(values) ? t(m.invitation_name_error) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            value={values.name}
            maxLength={invitationNameMax}
            autoComplete="off"
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
      <TargetPart {...props} />
      <div className="grid gap-5 md:grid-cols-2">
        <Field
          label={t(m.invitation_uses)}
          hint={t(m.invitation_uses_hint)}
          error={isChecked && isUsesWrong(values) ? t(m.invitation_uses_error, { max: invitationUsesMax }) : undefined}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={values.uses}
              maxLength={6}
              autoComplete="off"
              onChange={({ target }) => onChange({ uses: target.value })}
            />
          )}
        </Field>
        <Field
          label={t(m.invitation_expires)}
          error={isChecked && isExpiryWrong(values, now) ? t(m.invitation_expires_error) : undefined}
        >
          {(control) => (
            <DateTimeInput
              {...control}
              value={values.expiry}
              placeholder={t(m.token_expiry_placeholder)}
              onChange={(expiry) => onChange({ expiry })}
            />
          )}
        </Field>
      </div>
    </>
  );
};

/** What the new account gets: its group, a team, and a token. */
const TargetPart = ({ values, onChange }: InvitationFieldsProps) => {
  const t = useT();
  const { data: groups = [defaultGroup] } = useQuery(groupsQuery);
  const { data: teams = [] } = useQuery(teamChoicesQuery);
  const { data: presets = [] } = useQuery(keyPresetsQuery);
  const none = ['0', t(m.invitation_no_choice)] as const;
  return (
    <>
      <Field label={t(m.user_group)}>
        {(control) => (
          <Select
            {...control}
            value={values.group}
            choices={groups.map((name) => [name, name] as const)}
            onPick={(group) => onChange({ group })}
          />
        )}
      </Field>
      <Field label={t(m.invitation_team)} hint={t(m.invitation_team_hint)}>
        {(control) => (
          <Select
            {...control}
            value={String(values.team)}
            choices={[none, ...teams.map(({ id, name }) => [String(id), name] as const)]}
            onPick={(id) => onChange({ team: Number(id) })}
          />
        )}
      </Field>
      <Field label={t(m.invitation_preset)} hint={t(m.invitation_preset_hint)}>
        {(control) => (
          <Select
            {...control}
            value={String(values.preset)}
            choices={[none, ...presets.map(({ id, name }) => [String(id), name] as const)]}
            onPick={(id) => onChange({ preset: Number(id) })}
          />
        )}
      </Field>
    </>
  );
};
