import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Icon } from '../../../components/icon.tsx';
import { PasswordInput } from '../../../components/form/password-input.tsx';
import { focusOnMount } from '../../../lib/hooks/focus-on-mount.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { Setting } from '../setting.ts';
import { useSettings } from '../settings-context.ts';

/** A secret never comes back from the server: the field says whether one is set and takes another. */
export const SecretSetting = ({ setting: { key, label, hint } }: { readonly setting: Setting }) => {
  const t = useT();
  const { isSecretSet, problem, readOnly, text, type, unsaved } = useSettings();
  const [replacing, setReplacing] = useState(false);
  const set = isSecretSet(key);
  const typing = unsaved.includes(key);
  if (set === true && !replacing && !typing) {
    return (
      <div className="flex flex-col gap-1.5">
        <span className="text-13 font-medium">{t(label)}</span>
        <span className="flex min-h-8 items-center gap-2 text-mute">
          <Icon name="check" className="size-4 text-ok" />
          <span>{t(m.setting_secret_set)}</span>
          {!readOnly && (
            <Button size="h-7 px-2.5 text-13 pointer-coarse:h-10" onClick={() => setReplacing(true)}>
              {t(m.setting_secret_replace)}
              <span className="sr-only">{t(label)}</span>
            </Button>
          )}
        </span>
      </div>
    );
  }
  const empty = set === undefined ? t(m.setting_secret_unknown) : t(m.setting_secret_unset);
  return (
    <Field label={t(label)} hint={hint && t(hint)} error={problem(key)}>
      {(control) => (
        <PasswordInput
          {...control}
          {...(replacing ? { ref: focusOnMount } : {})}
          value={text(key)}
          placeholder={set === true ? t(m.setting_secret_keep) : empty}
          readOnly={readOnly}
          autoComplete="off"
          spellCheck="false"
          onChange={(event) => type(key, event.target.value)}
          onBlur={() => text(key) === '' && setReplacing(false)}
        />
      )}
    </Field>
  );
};
