import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { buttonClass } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { setLanguage, useLanguage } from '../../lib/browser/locale.ts';
import { useUser } from '../../lib/api/session.ts';
import { useStatus } from '../../lib/api/status.ts';
import { setTheme, useTheme } from '../../lib/browser/theme.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { ViewTabs } from '../../components/view-tabs.tsx';
import type { NavEntry } from './navigation.ts';
import { signOut } from '../sign-out.ts';

interface PhoneMenuProps {
  readonly entries: readonly NavEntry[];
  readonly onClosed: () => void;
}

/** The navigation on a phone: full height, closes after every choice. */
const PhoneMenu = ({ entries, onClosed }: PhoneMenuProps) => {
  const t = useT();
  const [open, setOpen] = useState(true);
  const language = useLanguage();
  const theme = useTheme();
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(shown) => !shown && onClosed()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="fixed inset-0 z-50 flex flex-col gap-4 overflow-y-auto bg-panel p-4 outline-none *:shrink-0">
          <div className="flex items-center justify-between">
            <Dialog.Title className="text-16 font-semibold">{t(m.navigation)}</Dialog.Title>
            <IconButton icon="close" label={t(m.close)} className="size-11" onClick={() => setOpen(false)} />
          </div>
          <nav aria-label={t(m.navigation)} className="flex flex-col">
            {entries.map(({ path, title, icon }) => (
              <a
                key={path}
                href={path}
                aria-current={location.pathname === path ? 'page' : undefined}
                className="flex min-h-11 items-center gap-3 rounded-control px-2 text-16 hover:bg-raised aria-[current=page]:bg-raised aria-[current=page]:font-semibold"
                onClick={() => setOpen(false)}
              >
                <Icon name={icon} className="size-5 text-mute" />
                {t(title)}
              </a>
            ))}
          </nav>
          <ViewTabs
            label={t(m.language)}
            views={[
              ['en', 'English'],
              ['zh', '中文'],
            ]}
            current={language}
            onPick={setLanguage}
          />
          <ViewTabs
            label={t(m.theme)}
            views={[
              ['light', t(m.theme_light)],
              ['dark', t(m.theme_dark)],
              ['system', t(m.theme_system)],
            ]}
            current={theme}
            onPick={setTheme}
          />
          <AccountPart onLeave={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

const AccountPart = ({ onLeave }: { readonly onLeave: () => void }) => {
  const t = useT();
  const user = useUser();
  const { register_enabled: open = true } = useStatus();
  const wide = 'h-11 px-3 w-full';
  if (user === undefined)
    return (
      <div className="mt-auto flex flex-col gap-2">
        <a className={buttonClass('primary', wide)} href="/login">
          {t(m.sign_in)}
        </a>
        {open && (
          <a className={buttonClass('plain', wide)} href="/register">
            {t(m.register)}
          </a>
        )}
      </div>
    );
  return (
    <div className="mt-auto flex flex-col gap-2">
      <a className={buttonClass('plain', wide)} href="/user/edit" onClick={onLeave}>
        <Icon name="user" /> {user.username}
      </a>
      <button type="button" className={buttonClass('plain', wide)} onClick={() => void signOut()}>
        <Icon name="sign-out" /> {t(m.sign_out)}
      </button>
    </div>
  );
};

export const openPhoneMenu = (entries: readonly NavEntry[]): void => {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  root.render(
    <PhoneMenu
      entries={entries}
      onClosed={() => {
        root.unmount();
        container.remove();
      }}
    />,
  );
};
