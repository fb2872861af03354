import { useLocation, useRouter } from '@tanstack/react-router';
import { can } from '@weir/contract/roles';
import { Icon } from '../components/icon.tsx';
import { IconButton } from '../components/icon-button.tsx';
import { buttonClass } from '../components/button.tsx';
import { menuTrigger, warmOverlays } from '../components/overlays.ts';
import { cutName } from '../lib/format.ts';
import { useUser } from '../lib/session.ts';
import { defaultLogo, systemName, useStatus } from '../lib/status.ts';
import { usePhone } from '../lib/use-media.ts';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import { navEntries } from './navigation.ts';
import type { NavEntry } from './navigation.ts';
import { PaletteButton } from './palette-button.tsx';

const menus = () => import('./bar-menus.ts');

/** The entries this visitor has: a screen exists and the role may enter it. */
export const useNavEntries = (): readonly NavEntry[] => {
  const { routesByPath } = useRouter();
  const user = useUser();
  const { chat_link: chatLink } = useStatus();
  return navEntries.filter(
    ({ path, access }) =>
      Object.hasOwn(routesByPath, path) && can(user?.role, access) && (path !== '/chat' || chatLink),
  );
};

export const TopBar = () => {
  const status = useStatus();
  const phone = usePhone();
  return (
    <header className="sticky top-0 z-20 flex h-13 items-center gap-1 border-b border-line bg-bg px-4">
      <a href="/" className="mr-3 flex min-w-0 items-center gap-2 rounded-control font-semibold">
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

const isUnder = (pathname: string, path: string): boolean =>
  pathname === path || (path !== '/' && pathname.startsWith(`${path}/`));

const WideBar = () => {
  const t = useT();
  const { pathname } = useLocation();
  const entries = useNavEntries();
  return (
    <>
      <nav aria-label={t(m.navigation)} className="flex h-full min-w-0 items-stretch">
        {entries.map(({ path, title, icon }) => (
          <a
            key={path}
            href={path}
            aria-current={isUnder(pathname, path) ? 'page' : undefined}
            className="group/nav relative flex items-center gap-1.5 px-2.5 whitespace-nowrap text-mute outline-offset-[-4px] hover:text-ink aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-2.5 aria-[current=page]:after:-bottom-px aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-brand"
          >
            <Icon name={icon} className="size-4 max-xl:hidden" />
            {t(title)}
          </a>
        ))}
      </nav>
      <div className="ml-auto flex items-center gap-0.5">
        <PaletteButton entries={entries} />
        <IconButton icon="globe" label={t(m.language)} {...menuTrigger(async () => (await menus()).languageMenu(t))} />
        <IconButton icon="sun" label={t(m.theme)} {...menuTrigger(async () => (await menus()).themeMenu(t))} />
        <Account />
      </div>
    </>
  );
};

const Account = () => {
  const t = useT();
  const user = useUser();
  if (user === undefined)
    return (
      <a className={`${buttonClass('primary')} ml-2`} href="/login">
        {t(m.sign_in)}
      </a>
    );
  return (
    <button
      type="button"
      aria-label={t(m.account, { name: user.username })}
      data-tip={cutName(user.username) === user.username ? undefined : user.username}
      className="ml-1 inline-flex h-8 items-center gap-1.5 rounded-control px-2 hover:bg-raised aria-expanded:bg-raised"
      {...menuTrigger(async () => (await menus()).accountMenu(t, user))}
    >
      <Icon name="user" className="size-4 text-mute" />
      {cutName(user.username)}
      <Icon name="down" className="size-3.5 text-mute" />
    </button>
  );
};

const PhoneBar = () => {
  const t = useT();
  const entries = useNavEntries();
  const open = (): void => void import('./phone-menu.tsx').then(({ openPhoneMenu }) => openPhoneMenu(entries));
  return (
    <div className="ml-auto flex items-center">
      <PaletteButton entries={entries} className="size-11" />
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
