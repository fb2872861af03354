import { useState } from 'react';
import type { ComponentProps, KeyboardEvent } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Input } from './input.tsx';
import { Icon } from '../icon.tsx';

/** A password field with a button that shows the text and a caps lock warning. */
export const PasswordInput = (props: ComponentProps<typeof Input>) => {
  const t = useT();
  const [visible, setVisible] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const label = t(visible ? m.login_hide_password : m.login_show_password);
  // Autofill fires key events without a modifier state.
  const watch = (event: KeyboardEvent): void =>
    setCapsLock(event.nativeEvent instanceof window.KeyboardEvent && event.getModifierState('CapsLock'));
  return (
    <div>
      <div className="relative">
        <Input {...props} type={visible ? 'text' : 'password'} className="pr-10" onKeyDown={watch} onKeyUp={watch} />
        <button
          type="button"
          aria-label={label}
          aria-pressed={visible}
          className="absolute inset-y-0 right-0 inline-flex w-9 items-center justify-center rounded-control text-mute hover:text-ink"
          onClick={() => setVisible(!visible)}
        >
          <Icon name={visible ? 'eye-off' : 'eye'} />
        </button>
      </div>
      {capsLock && (
        <p role="status" className="mt-1 text-12 text-warn">
          {t(m.login_caps_lock)}
        </p>
      )}
    </div>
  );
};
