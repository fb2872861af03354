import { useQuery } from '@tanstack/react-query';
import { defaultGroup } from '@weir/contract/groups';
import { Field } from '../../../components/form/field.tsx';
import { MultiSelect } from '../../../components/form/multi-select.tsx';
import { splitList } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { ChannelPartProps } from './channel-part-props.ts';
import { groupsQuery } from '../queries.ts';

const onlyDefault = [defaultGroup];

/** Which groups of users the channel serves. */
export const GroupsField = ({ values, onChange }: ChannelPartProps) => {
  const t = useT();
  const { data: groups = onlyDefault } = useQuery(groupsQuery);
  return (
    <Field label={t(m.channel_groups)}>
      {(control) => (
        <MultiSelect
          {...control}
          known={groups}
          chosen={splitList(values.groups)}
          onChange={(chosen) => onChange({ groups: chosen.join(',') })}
          placeholder={t(m.channel_groups_placeholder)}
        />
      )}
    </Field>
  );
};
