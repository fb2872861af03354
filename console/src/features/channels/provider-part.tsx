import { useQuery } from '@tanstack/react-query';
import { Combobox } from '../../components/combobox.tsx';
import { Field } from '../../components/field.tsx';
import { toast } from '../../lib/toasts.ts';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { ChannelPartProps } from './channel-form.tsx';
import { typeModelsQuery } from './queries.ts';
import { typeChoices } from './type-choices.ts';

/** The channel's type. A new one brings its default models when none are chosen yet, and says so. */
export const ProviderPart = ({ values, onChange }: ChannelPartProps) => {
  const t = useT();
  const { data: models } = useQuery(typeModelsQuery);
  const { groups, chosen } = typeChoices(t, values.type);
  const pick = (type: number, name: string): void => {
    const defaults = models?.[type] ?? [];
    if (values.models !== '' || defaults.length === 0) {
      onChange({ type });
      return;
    }
    onChange({ type, models: [...new Set(defaults)].join(',') });
    toast('info', t(m.channel_models_filled, { type: name }));
  };
  return (
    <Field label={t(m.channel_type)}>
      {(control) => (
        <Combobox
          {...control}
          groups={groups}
          value={chosen}
          onPick={({ value, label }) => pick(Number(value), label)}
        />
      )}
    </Field>
  );
};
