import { Field } from '../../components/form/field.tsx';
import { Select } from '../../components/form/select.tsx';
import { Switch } from '../../components/form/switch.tsx';
import { density } from '../../lib/browser/density.ts';
import { setLanguage, useLanguage } from '../../lib/browser/locale.ts';
import { commandKey } from '../../lib/browser/platform-keys.ts';
import { shortcuts } from '../../lib/browser/shortcut-switch.ts';
import { useStore } from '../../lib/store.ts';
import { setTheme, useTheme } from '../../lib/browser/theme.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AccountCard } from './account-card.tsx';

/** Language, theme, row height and single-key shortcuts, stored in this browser. */
export const LookCard = () => {
  const t = useT();
  const language = useLanguage();
  const theme = useTheme();
  const rows = useStore(density);
  const keys = useStore(shortcuts);
  return (
    <AccountCard title={t(m.personal_look)}>
      <div className="grid grid-cols-3 gap-5 max-md:grid-cols-1">
        <Field label={t(m.language)}>
          {(control) => (
            <Select
              {...control}
              value={language}
              choices={[
                ['en', 'English'],
                ['zh', '中文'],
              ]}
              onPick={setLanguage}
            />
          )}
        </Field>
        <Field label={t(m.theme)}>
          {(control) => (
            <Select
              {...control}
              value={theme}
              choices={[
                ['light', t(m.theme_light)],
                ['dark', t(m.theme_dark)],
                ['system', t(m.theme_system)],
              ]}
              onPick={setTheme}
            />
          )}
        </Field>
        <Field label={t(m.personal_density)}>
          {(control) => (
            <Select
              {...control}
              value={rows}
              choices={[
                ['comfortable', t(m.personal_density_comfortable)],
                ['compact', t(m.personal_density_compact)],
              ]}
              onPick={density.set}
            />
          )}
        </Field>
      </div>
      <Switch
        label={t(m.personal_shortcuts)}
        hint={t(m.personal_shortcuts_hint, { search: `${commandKey}K` })}
        on={keys}
        onFlip={shortcuts.set}
      />
    </AccountCard>
  );
};
