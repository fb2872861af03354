import { Field } from '../../../components/form/field.tsx';
import { Select } from '../../../components/form/select.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { Setting } from '../setting.ts';
import { useSettings } from '../settings-context.ts';

/** The colour theme of visitors who chose none. Names of other consoles' themes stay as they are (ruling 21). */
export const ThemeSetting = ({ setting: { key, label, hint } }: { readonly setting: Setting }) => {
  const t = useT();
  const { problem, readOnly, text, type } = useSettings();
  const stored = text(key);
  const ours: readonly (readonly [string, string])[] = [
    ['default', t(m.theme_system)],
    ['light', t(m.theme_light)],
    ['dark', t(m.theme_dark)],
  ];
  const choices = ours.some(([value]) => value === stored) ? ours : [...ours, [stored, stored] as const];
  return (
    <Field label={t(label)} hint={hint && t(hint)} error={problem(key)}>
      {(control) => (
        <Select
          {...control}
          value={stored}
          choices={choices}
          disabled={readOnly}
          className="w-56 max-w-full"
          onPick={(theme) => type(key, theme)}
        />
      )}
    </Field>
  );
};
