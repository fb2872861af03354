import type { Token } from '@weir/contract/tokens';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { Select } from '../../components/form/select.tsx';
import { Switch } from '../../components/form/switch.tsx';
import { Textarea } from '../../components/form/textarea.tsx';
import { usePhone } from '../../lib/hooks/use-media.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { PlaygroundSettings } from './settings.ts';

interface SettingsPanelProps {
  readonly keys: readonly Token[];
  readonly settings: PlaygroundSettings;
  readonly onChange: (changes: Partial<PlaygroundSettings>) => void;
}

/** The settings of every request; collapsed on a phone, so that the answers stay on screen. */
export const SettingsPanel = (props: SettingsPanelProps) => {
  const t = useT();
  const phone = usePhone();
  return (
    <details open={!phone} className="h-fit rounded-card border border-line bg-panel p-4">
      <summary className="cursor-pointer text-13 font-semibold">{t(m.play_settings)}</summary>
      <Settings {...props} />
    </details>
  );
};

const Settings = ({ keys, settings, onChange }: SettingsPanelProps) => {
  const t = useT();
  return (
    <div className="flex flex-col gap-4 pt-3">
      <Field label={t(m.play_key)} hint={t(m.play_key_hint)}>
        {(control) => (
          <Select
            {...control}
            value={String(settings.keyId || (keys[0]?.id ?? 0))}
            choices={keys.map(({ id, name }) => [String(id), name || '—'] as const)}
            onPick={(id) => onChange({ keyId: Number(id) })}
          />
        )}
      </Field>
      <Field label={t(m.play_system)} optional={t(m.optional)}>
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            value={settings.system}
            onChange={({ target }) => onChange({ system: target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label={t(m.play_temperature)}>
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              placeholder={t(m.play_usual)}
              value={settings.temperature}
              onChange={({ target }) => onChange({ temperature: target.value })}
            />
          )}
        </Field>
        <Field label={t(m.play_max_tokens)}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              placeholder={t(m.play_usual)}
              value={settings.maxTokens}
              onChange={({ target }) => onChange({ maxTokens: target.value })}
            />
          )}
        </Field>
      </div>
      <Switch label={t(m.play_stream)} on={settings.stream} onFlip={(stream) => onChange({ stream })} />
    </div>
  );
};
