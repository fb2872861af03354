import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Combobox } from '../../../components/form/combobox.tsx';
import type { Choice } from '../../../components/form/suggestion-list.tsx';
import { Undo } from '../../../components/overlay/undo.tsx';
import { Field } from '../../../components/form/field.tsx';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { toast } from '../../../lib/toasts.ts';
import { useLatest } from '../../../lib/hooks/use-latest.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { ChannelPartProps } from './channel-part-props.ts';
import { typeChange } from './channel-values.ts';
import { typeModelsQuery } from '../queries.ts';
import { typeChoices } from './type-choices.ts';

const fillUndo = 'channel:fill';

/** The channel's type. A new type brings its default models if none are chosen, shows a note, and offers to undo it. */
export const ProviderPart = ({ values, automatic, onChange }: ChannelPartProps) => {
  const t = useT();
  const language = useLanguage();
  const client = useQueryClient();
  const { data: models } = useQuery(typeModelsQuery);
  const { groups, chosen } = useMemo(() => typeChoices(language, values.type), [language, values.type]);
  const latest = useLatest({ values, automatic, onChange });
  const fill = ({ value, label }: Choice, known: Readonly<Record<string, readonly string[]>>): void => {
    const type = Number(value);
    const defaults = known[value] ?? [];
    const { values: now, automatic: filled, onChange: send } = latest.current;
    if ((now.models !== '' && !filled) || defaults.length === 0) return;
    if (!filled) send({ type, models: [...new Set(defaults)].join(',') });
    toast('info', t(m.channel_models_filled, { type: label }));
    offerUndo(fillUndo, () => latest.current.onChange({ models: '' }));
  };
  const pick = async (choice: Choice): Promise<void> => {
    onChange(typeChange(values, Number(choice.value)));
    if (models) {
      fill(choice, models);
      return;
    }
    // The names load after the choice: by then another type or models may have been chosen.
    const known = await client.query(typeModelsQuery).catch(() => ({}));
    if (latest.current.values.type === Number(choice.value)) fill(choice, known);
  };
  return (
    <Field label={t(m.channel_type)} aside={<Undo of={fillUndo} />}>
      {(control) => <Combobox {...control} groups={groups} value={chosen} onPick={(choice) => void pick(choice)} />}
    </Field>
  );
};
