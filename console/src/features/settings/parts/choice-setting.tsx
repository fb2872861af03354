import { Field } from '../../../components/form/field.tsx';
import { Select } from '../../../components/form/select.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { entryOf, useOptionText } from '../setting.ts';
import type { SettingProps } from '../setting.ts';
import { useSettings } from '../settings-context.ts';

/** An option with a few valid texts, each of which has a name. */
export const ChoiceSetting = ({ name }: SettingProps) => {
  const t = useT();
  const { label, hint } = useOptionText(name);
  const { problem, readOnly, text, type } = useSettings();
  const choices = (entryOf(name).choices ?? []).map((choice) => [choice, t(m.option_choice, { choice })] as const);
  return (
    <Field label={label} hint={hint} error={problem(name)}>
      {(control) => (
        <Select
          {...control}
          value={text(name)}
          choices={choices}
          disabled={readOnly}
          className="w-72 max-w-full"
          onPick={(choice) => type(name, choice)}
        />
      )}
    </Field>
  );
};
