import { options } from '@weir/contract/options';
import type { OptionEntry } from '@weir/contract/options';
import { lazy, Suspense } from 'react';
import { Field } from '../../components/form/field.tsx';
import type { ControlProps } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { QuotaInput } from '../../components/form/quota-input.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Switch } from '../../components/form/switch.tsx';
import { Undo } from '../../components/overlay/undo.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { DomainsSetting } from './parts/domains-setting.tsx';
import { LongSetting } from './parts/long-setting.tsx';
import { SecretSetting } from './parts/secret-setting.tsx';
import type { Setting } from './setting.ts';
import { useSettings } from './settings-context.ts';
import { ThemeSetting } from './parts/theme-setting.tsx';

const RatiosSetting = lazy(async () => ({ default: (await import('./parts/ratios-setting.tsx')).RatiosSetting }));

interface SettingControlProps {
  readonly setting: Setting;
}

/** The control of one option. */
export const SettingControl = ({ setting }: SettingControlProps) => {
  switch (setting.control) {
    case 'switch':
      return <SwitchSetting setting={setting} />;
    case 'domains':
      return <DomainsSetting setting={setting} />;
    case 'ratios':
      return (
        <Suspense fallback={<Skeleton className="h-60 w-full" />}>
          <RatiosSetting setting={setting} />
        </Suspense>
      );
    case 'long':
      return <LongSetting setting={setting} shows={setting.shows} />;
    case 'secret':
      return <SecretSetting setting={setting} />;
    case 'theme':
      return <ThemeSetting setting={setting} />;
    case 'text':
    case 'url':
    case 'number':
    case 'quota':
      return <FieldSetting setting={setting} />;
  }
};

const SwitchSetting = ({ setting: { key, label, hint } }: SettingControlProps) => {
  const t = useT();
  const { flip, readOnly, text } = useSettings();
  return (
    <div className="flex items-start justify-between gap-3">
      <Switch
        sends
        label={t(label)}
        hint={hint && t(hint)}
        on={text(key) === 'true'}
        disabled={readOnly}
        onFlip={(on) => void flip(key, on)}
      />
      <Undo of={`option:${key}`} />
    </div>
  );
};

const FieldSetting = ({ setting }: SettingControlProps) => {
  const t = useT();
  const { problem } = useSettings();
  return (
    <Field label={t(setting.label)} hint={setting.hint && t(setting.hint)} error={problem(setting.key)}>
      {(control) => <FieldInput setting={setting} control={control} />}
    </Field>
  );
};

const FieldInput = ({ setting, control }: SettingControlProps & { readonly control: ControlProps }) => {
  const t = useT();
  const { leave, readOnly, text, type } = useSettings();
  const { key } = setting;
  const value = text(key);
  if (setting.control === 'quota') {
    return (
      <QuotaInput
        {...control}
        quota={value.trim() === '' ? Number.NaN : Number(value)}
        readOnly={readOnly}
        onChange={(quota) => type(key, Number.isNaN(quota) ? '' : String(quota))}
      />
    );
  }
  const entry: OptionEntry = options[key];
  const asNumber = { type: 'number', step: 'step' in setting ? setting.step : 'any', min: entry.min } as const;
  const input = (
    <Input
      {...control}
      {...(setting.control === 'number' ? asNumber : {})}
      inputMode={setting.control === 'url' ? 'url' : undefined}
      value={value}
      placeholder={entry.kind === 'integer' || entry.kind === 'number' ? entry.default : undefined}
      readOnly={readOnly}
      autoComplete="off"
      spellCheck="false"
      onChange={(event) => type(key, event.target.value)}
      onBlur={() => leave(key)}
    />
  );
  if (setting.control !== 'number' || setting.unit === undefined) return input;
  return (
    <span className="flex items-center gap-2">
      {input}
      <span className="text-13 whitespace-nowrap text-mute">{t(setting.unit)}</span>
    </span>
  );
};
