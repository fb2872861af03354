import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Icon } from '../../../components/icon.tsx';
import { PasswordInput } from '../../../components/form/password-input.tsx';
import { focusOnMount } from '../../../lib/hooks/focus-on-mount.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { useOptionText } from '../setting.ts';
import type { SettingProps } from '../setting.ts';
import { useSettings } from '../settings-context.ts';

/** The server never returns a secret: the field shows whether one is set and accepts a new one. */
export const SecretSetting = ({ name }: SettingProps) => {
  const t = useT();
  const { label, hint } = useOptionText(name);
  const { isSecretSet, problem, readOnly, text, type, unsaved } = useSettings();
  const [replacing, setReplacing] = useState(false);
  const set = isSecretSet(name);
  const typing = unsaved.includes(name);
  if (set === true && !replacing && !typing) {
    return (
      <div className="flex flex-col gap-1.5">
        <span className="text-13 font-medium">{label}</span>
        <span className="flex min-h-8 items-center gap-2 text-mute">
          <Icon name="check" className="size-4 text-ok" />
          <span>{t(m.setting_secret_set)}</span>
          {!readOnly && (
            <Button size="h-7 px-2.5 text-13 pointer-coarse:h-10" onClick={() => setReplacing(true)}>
              {t(m.setting_secret_replace)}
              <span className="sr-only">{label}</span>
            </Button>
          )}
        </span>
      </div>
    );
  }
  const empty = set === undefined ? t(m.setting_secret_unknown) : t(m.setting_secret_unset);
  return (
    <Field label={label} hint={hint} error={problem(name)}>
      {(control) => (
        <PasswordInput
          {...control}
          {...(replacing ? { ref: focusOnMount } : {})}
          value={text(name)}
          placeholder={set === true ? t(m.setting_secret_keep) : empty}
          readOnly={readOnly}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => type(name, event.target.value)}
          onBlur={() => text(name) === '' && setReplacing(false)}
        />
      )}
    </Field>
  );
};
