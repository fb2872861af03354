import { getSelf } from '@weir/contract/users';
import { Icon } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { buttonClass } from '../../components/button.tsx';
import { menuTrigger, warmOverlays } from '../../components/overlay/overlays.ts';
import type { MenuRequest } from '../../components/overlay/overlays.ts';
import { call } from '../../lib/api/call.ts';
import { cutName } from '../../lib/format/format.ts';
import { useUser } from '../../lib/api/session.ts';
import type { SessionUser } from '../../lib/api/session.ts';
import { defaultLogo, systemName, useStatus } from '../../lib/api/status.ts';
import { usePhone } from '../../lib/hooks/use-media.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { useNavEntries } from './navigation.ts';
import { PaletteButton } from '../palette/palette-button.tsx';
import { WideNav } from './wide-nav.tsx';

/** The balance is optional in the account menu: without an answer in time the menu opens without it. */
const balanceWaitMs = 400;

const menus = () => import('./bar-menus.ts');

export const TopBar = () => {
  const status = useStatus();
  const phone = usePhone();
  return (
    <header className="print:hidden sticky top-0 z-20 flex h-13 items-center gap-1 border-b border-line bg-bg px-4">
      <a href="/" className="mr-3 flex max-w-60 min-w-0 items-center md:shrink-0 gap-2 rounded-control font-semibold">
        <img
          src={status.logo || defaultLogo}
          alt=""
          width="24"
          height="24"
          className="size-6 rounded-control object-contain"
        />
        <span className="truncate">{systemName(status)}</span>
      </a>
      {phone ? <PhoneBar /> : <WideBar />}
    </header>
  );
};

const WideBar = () => {
  const t = useT();
  const entries = useNavEntries();
  return (
    <>
      <WideNav entries={entries} />
      <div className="ml-auto flex items-center gap-0.5">
        <PaletteButton entries={entries} />
        <IconButton icon="globe" label={t(m.language)} {...menuTrigger(async () => (await menus()).languageMenu(t))} />
        <IconButton icon="sun" label={t(m.theme)} {...menuTrigger(async () => (await menus()).themeMenu(t))} />
        <Account />
      </div>
    </>
  );
};

const openAccount = async (t: Translate, user: SessionUser): Promise<MenuRequest> => {
  const self = call(getSelf, { signal: AbortSignal.timeout(balanceWaitMs) }).catch(() => undefined);
  const { accountMenu } = await menus();
  return accountMenu(t, user, (await self)?.quota);
};

const Account = () => {
  const t = useT();
  const user = useUser();
  if (user === undefined) return <SignedOut />;
  return (
    <button
      type="button"
      aria-label={t(m.account, { name: user.username })}
      data-tip={cutName(user.username) === user.username ? undefined : user.username}
      className="ml-1 inline-flex h-8 items-center gap-1.5 rounded-control px-2 hover:bg-raised aria-expanded:bg-raised"
      {...menuTrigger(() => openAccount(t, user))}
    >
      <Icon name="user" className="size-4 text-mute" />
      {cutName(user.username)}
      <Icon name="down" className="size-3.5 text-mute" />
    </button>
  );
};

const SignedOut = () => {
  const t = useT();
  const { register_enabled: open = true } = useStatus();
  return (
    <>
      {open && (
        <a className={`${buttonClass('quiet')} ml-2`} href="/register">
          {t(m.register)}
        </a>
      )}
      <a className={buttonClass('primary')} href="/login">
        {t(m.sign_in)}
      </a>
    </>
  );
};

const PhoneBar = () => {
  const t = useT();
  const entries = useNavEntries();
  const user = useUser();
  const open = (): void => void import('./phone-menu.tsx').then(({ openPhoneMenu }) => openPhoneMenu(entries));
  return (
    <div className="ml-auto flex items-center">
      <PaletteButton entries={entries} className="size-11" />
      {user && (
        <IconButton
          icon="user"
          label={t(m.account, { name: user.username })}
          className="size-11"
          {...menuTrigger(() => openAccount(t, user))}
        />
      )}
      <IconButton
        icon="menu"
        label={t(m.open_menu)}
        aria-haspopup="dialog"
        className="size-11"
        onClick={open}
        onFocus={warmOverlays}
        onPointerEnter={warmOverlays}
      />
    </div>
  );
};
