import { lazy, Suspense } from 'react';
import { Field } from '../../components/form/field.tsx';
import type { ControlProps } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { QuotaInput } from '../../components/form/quota-input.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Switch } from '../../components/form/switch.tsx';
import { Undo } from '../../components/overlay/undo.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { ChoiceSetting } from './parts/choice-setting.tsx';
import { DomainsSetting } from './parts/domains-setting.tsx';
import { LongSetting } from './parts/long-setting.tsx';
import { SecretSetting } from './parts/secret-setting.tsx';
import { controlOf, entryOf, useOptionText } from './setting.ts';
import type { SettingProps } from './setting.ts';
import { useSettings } from './settings-context.ts';
import { ThemeSetting } from './parts/theme-setting.tsx';

const RatiosSetting = lazy(async () => ({ default: (await import('./parts/ratios-setting.tsx')).RatiosSetting }));

/** The control of one option. */
export const SettingControl = ({ name }: SettingProps) => {
  switch (controlOf(entryOf(name))) {
    case 'switch':
      return <SwitchSetting name={name} />;
    case 'domains':
      return <DomainsSetting name={name} />;
    case 'ratios':
      return (
        <Suspense fallback={<Skeleton className="h-60 w-full" />}>
          <RatiosSetting name={name} />
        </Suspense>
      );
    case 'long-text':
      return <LongSetting name={name} />;
    case 'secret':
      return <SecretSetting name={name} />;
    case 'choice':
      return <ChoiceSetting name={name} />;
    case 'theme':
      return <ThemeSetting name={name} />;
    case 'text':
    case 'url':
    case 'number':
    case 'quota':
      return <FieldSetting name={name} />;
  }
};

const SwitchSetting = ({ name }: SettingProps) => {
  const { label, hint } = useOptionText(name);
  const { flip, readOnly, text } = useSettings();
  return (
    <div className="flex items-start justify-between gap-3">
      <Switch
        sends
        label={label}
        hint={hint}
        on={text(name) === 'true'}
        disabled={readOnly}
        onFlip={(on) => void flip(name, on)}
      />
      <Undo of={`option:${name}`} />
    </div>
  );
};

const FieldSetting = ({ name }: SettingProps) => {
  const { label, hint } = useOptionText(name);
  const { problem } = useSettings();
  return (
    <Field label={label} hint={hint} error={problem(name)}>
      {(control) => <FieldInput name={name} control={control} />}
    </Field>
  );
};

const units = { seconds: m.setting_seconds, tokens: m.setting_tokens } as const;

const FieldInput = ({ name, control }: SettingProps & { readonly control: ControlProps }) => {
  const t = useT();
  const { leave, readOnly, text, type } = useSettings();
  const { kind, min = 0, unit, default: initial } = entryOf(name);
  const value = text(name);
  if (unit === 'quota') {
    return (
      <QuotaInput
        {...control}
        quota={value.trim() === '' ? Number.NaN : Number(value)}
        readOnly={readOnly}
        onChange={(quota) => type(name, Number.isNaN(quota) ? '' : String(quota))}
      />
    );
  }
  const isNumber = kind === 'integer' || kind === 'number';
  const step = kind === 'integer' ? '1' : min > 0 ? String(min) : 'any';
  const input = (
    <Input
      {...control}
      {...(isNumber ? { type: 'number', step, min, placeholder: initial } : {})}
      inputMode={kind === 'url' ? 'url' : undefined}
      value={value}
      readOnly={readOnly}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => type(name, event.target.value)}
      onBlur={() => leave(name)}
    />
  );
  if (unit === undefined) return input;
  return (
    <span className="flex items-center gap-2">
      {input}
      <span className="text-13 whitespace-nowrap text-mute">{t(units[unit])}</span>
    </span>
  );
};
