import { Field } from '../../../components/form/field.tsx';
import { Select } from '../../../components/form/select.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { useOptionText } from '../setting.ts';
import type { SettingProps } from '../setting.ts';
import { useSettings } from '../settings-context.ts';

/** The default theme of visitors without a choice. Theme names of other consoles are kept (ruling 21). */
export const ThemeSetting = ({ name }: SettingProps) => {
  const t = useT();
  const { label, hint } = useOptionText(name);
  const { problem, readOnly, text, type } = useSettings();
  const stored = text(name);
  const ours: readonly (readonly [string, string])[] = [
    ['default', t(m.theme_system)],
    ['light', t(m.theme_light)],
    ['dark', t(m.theme_dark)],
  ];
  const choices = ours.some(([value]) => value === stored) ? ours : [...ours, [stored, stored] as const];
  return (
    <Field label={label} hint={hint} error={problem(name)}>
      {(control) => (
        <Select
          {...control}
          value={stored}
          choices={choices}
          disabled={readOnly}
          className="w-56 max-w-full"
          onPick={(theme) => type(name, theme)}
        />
      )}
    </Field>
  );
};
