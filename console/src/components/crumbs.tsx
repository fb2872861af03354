import { useT } from '../lib/hooks/use-t.ts';
import type { Message } from '../lib/hooks/use-t.ts';
import { m } from '../paraglide/messages.js';

const lists: Readonly<Record<string, Message>> = {
  token: m.token_title,
  channel: m.channel_title,
  redemption: m.redemption_title,
  user: m.user_title,
  run: m.run_title,
  team: m.team_title,
};

interface CrumbsProps {
  readonly title: string;
  /** Address of the page, if a sheet may be over it; absent: the current one. */
  readonly pathname?: string;
}

/** Link from a form or a detail page back to its list. */
export const Crumbs = ({ title, pathname = location.pathname }: CrumbsProps) => {
  const t = useT();
  const name = pathname.split('/')[1] ?? '';
  const list = lists[name];
  // The own account is in no list.
  if (list === undefined || pathname === '/user/edit') return null;
  // The tokens of a user or a team are a list of their own below the list of users or teams.
  const below = /^\/(?:user|team)\/tokens\/\d+(?=\/)/.exec(pathname)?.[0];
  const search = /^\/(?:user|team)\/tokens/.test(pathname) && below === undefined ? '' : location.search;
  return (
    <nav aria-label={t(m.crumbs)} className="-mt-4 flex h-10 items-center gap-2 text-13 text-mute">
      <a
        href={(below ?? `/${name}`) + search}
        className="rounded-control underline-offset-2 hover:text-ink hover:underline"
      >
        {t(below === undefined ? list : m.token_title)}
      </a>
      <span aria-hidden="true">/</span>
      <span aria-current="page" className="truncate">
        {title}
      </span>
    </nav>
  );
};
